/** The environment of the local Temporal, and the hosts that it answers. */
import assert from 'node:assert/strict';
import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../src/local/ports.ts';
import { runTemporal } from '../../src/local/services.ts';
import { readLocalSettings } from '../../src/local/settings.ts';
import { ensureTemporalCli, temporalCli } from '../../src/local/temporal-binary.ts';
import { startTemporal, type Temporal } from '../../src/local/temporal.ts';
import { until } from '../support/until.ts';

const namespaces = '/api/v1/namespaces';

describe('The local Temporal', () => {
  let folder: string;
  let temporal: Temporal;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'parley-temporal-'));
    process.env['ANTHROPIC_API_KEY'] = 'a key of a model';
    try {
      temporal = await startTemporal({
        binary: await ensureTemporalCli(),
        ...{ dataDir: folder, log: join(folder, 'log'), namespace: 'default' },
        ...{ port: await freePort(), uiPort: await freePort() },
      });
    } finally {
      delete process.env['ANTHROPIC_API_KEY'];
    }
  });
  after(async () => {
    await temporal.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('is given no secrets of the environment', () => {
    const given = readFileSync(`/proc/${temporal.pid}/environ`, 'utf8').split('\0');
    const names = given.filter((line) => line !== '').map((line) => line.split('=')[0]);
    assert.ok(names.includes('PATH'));
    const known = ['PATH', 'HOME', 'TMPDIR', 'TZ', 'LANG'];
    assert.deepEqual(
      names.filter((name) => !known.includes(name ?? '')),
      [],
    );
  });

  it('serves its UI by the names of this machine, with writes, and to no other Host', async () => {
    const { port } = new URL(temporal.uiUrl);
    // The UI connects to the server, which is ready before it, at its own pace.
    await until('the UI to have reached its server', async () => {
      return (await statusOf('127.0.0.1', Number(port), namespaces, 'localhost')) === 200;
    });
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, 'LOCALHOST', `[::1]:${port}`]) {
      assert.equal(
        await statusOf('127.0.0.1', Number(port), '/namespaces/default/workflows', host),
        200,
        host,
      );
      assert.equal(await statusOf('127.0.0.1', Number(port), namespaces, host), 200, host);
    }
    for (const host of [
      'evil.example',
      `evil.example:${port}`,
      'localhost.evil.example',
      '127.0.0.1.evil.example',
    ]) {
      assert.equal(await statusOf('127.0.0.1', Number(port), '/', host), 421, host);
      assert.equal(await statusOf('127.0.0.1', Number(port), namespaces, host), 421, host);
    }
  });

  it('answers a foreign Host at none of its ports of 127.0.0.1', async () => {
    const ports = listening(temporal.pid);
    assert.ok(ports.length >= 2, String(ports));
    for (const port of ports) {
      assert.notEqual(await statusOf('127.0.0.1', port, namespaces, 'evil.example'), 200, String(port));
    }
  });
});

/** @returns undefined if it is no HTTP that answers */
async function statusOf(
  hostname: string,
  port: number,
  path: string,
  host: string,
): Promise<number | undefined> {
  return await new Promise((resolve) => {
    const asked = request({ hostname, port, path, headers: { host }, timeout: 5000, agent: false });
    asked.on('response', (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    asked.on('timeout', () => asked.destroy());
    asked.on('error', () => {
      resolve(undefined);
    });
    asked.end();
  });
}

/** The ports of 127.0.0.1 that a process listens on. */
function listening(pid: number): number[] {
  const sockets = new Set(
    readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
      try {
        return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1] ?? [];
      } catch {
        return []; // closed meanwhile
      }
    }),
  );
  return readFileSync(`/proc/${pid}/net/tcp`, 'utf8')
    .split('\n')
    .slice(1)
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local, , state, , , , , , inode]) => {
      return local?.startsWith('0100007F:') && state === '0A' && sockets.has(inode ?? '');
    })
    .map(([, local]) => Number.parseInt(local?.split(':')[1] ?? '', 16));
}

describe("Temporal's program at a restart", () => {
  it('is checked again: one that was changed while it ran is not run', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'parley-temporal-'));
    const cached = join(folder, 'parley', `temporal-${temporalCli.version}`);
    mkdirSync(join(folder, 'parley'));
    for (const name of ['logs', 'pids']) mkdirSync(join(folder, name));
    const pinned = await ensureTemporalCli();
    copyFileSync(pinned, cached);
    const kept = { XDG_CACHE_HOME: process.env['XDG_CACHE_HOME'], PATH: process.env['PATH'] };
    Object.assign(process.env, { XDG_CACHE_HOME: folder, PATH: '/usr/bin:/bin' });
    const lines: string[] = [];
    const ends = new AbortController();
    let pid = 0;
    const service = await runTemporal(
      {
        settings: readLocalSettings({}),
        dataDir: folder,
        choose: async () => freePort(),
        print: (line) => lines.push(line),
        signal: ends.signal,
      },
      (started) => {
        pid = started;
      },
    );
    try {
      // A running program cannot be written to; a rename puts another in its place.
      copyFileSync(pinned, `${cached}.changed`);
      appendFileSync(`${cached}.changed`, 'x');
      renameSync(`${cached}.changed`, cached);
      process.kill(pid, 'SIGKILL');
      await until('the refusal', () => lines.some((line) => line.includes('did not start')));
      assert.match(
        lines.join('\n'),
        new RegExp(`Temporal did not start: ${cached} is not the program that was fetched`),
      );
    } finally {
      ends.abort();
      await service.kept?.stop();
      for (const [name, value] of Object.entries(kept)) {
        if (value === undefined) Reflect.deleteProperty(process.env, name);
        else process.env[name] = value;
      }
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
