/** Renders kustomize overlays by kustomize itself: that of the PATH, kubectl's, or one built from its Go module. */
import { execFile, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { cacheFolder } from '../../src/local/cache-folder.ts';
import { projectRoot } from '../../src/local/project-root.ts';

const version = 'v5.8.1';
const run = promisify(execFile);

const resource = z.looseObject({
  kind: z.string(),
  metadata: z.looseObject({
    name: z.string(),
    namespace: z.string().optional(),
    labels: z.record(z.string(), z.string()).default({}),
  }),
});

export type Resource = z.output<typeof resource>;

/**
 * @param overlay the text of `overlay/kustomization.yaml`, beside a clone that is called `parley`
 * @returns what `kubectl apply -k overlay` would send
 */
export async function renderOverlay(overlay: string): Promise<Resource[]> {
  const [command, ...args] = await ensureKustomize();
  const folder = mkdtempSync(join(tmpdir(), 'parley-overlay-'));
  try {
    symlinkSync(projectRoot, join(folder, 'parley'));
    mkdirSync(join(folder, 'overlay'));
    writeFileSync(join(folder, 'overlay', 'kustomization.yaml'), overlay);
    const { stdout } = await run(command, [...args, join(folder, 'overlay')], {
      maxBuffer: 16 * 1024 * 1024,
    });
    return parseAllDocuments(stdout).map((one) => resource.parse(one.toJS()));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** @throws Error if none is installed and it cannot be built */
async function ensureKustomize(): Promise<[string, ...string[]]> {
  if (spawnSync('kustomize', ['version']).status === 0) return ['kustomize', 'build'];
  if (spawnSync('kubectl', ['kustomize', '--help']).status === 0) return ['kubectl', 'kustomize'];
  const folder = join(cacheFolder(), `kustomize-${version}`);
  const program = join(folder, 'kustomize');
  if (!existsSync(program)) {
    try {
      await run('go', ['install', `sigs.k8s.io/kustomize/kustomize/v5@${version}`], {
        env: { ...process.env, GOBIN: folder, CGO_ENABLED: '0' },
      });
    } catch (cause) {
      throw new Error(
        'kustomize is needed to render the Kubernetes manifests: install kustomize, kubectl, or Go to build it.',
        { cause },
      );
    }
  }
  return [program, 'build'];
}
