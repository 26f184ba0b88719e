/** The product on a Temporal that lets nobody in without an API key or a client certificate, as Temporal Cloud does:
 *  both come from the SDK's own settings, and reach the API's client and the worker alike. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAlive } from '../../src/local/processes.ts';
import { backing } from '../support/backing.ts';
import { startOwnProcess, type OwnProcess } from '../support/own-process.ts';
import { useSharedStack } from '../support/stack.ts';
import { startGuardedDoor, type GuardedDoor } from '../support/temporal-server/start-guarded-door.ts';
import {
  authorityCertificate,
  clientCertificate,
  clientKey,
} from '../support/temporal-server/tls-certificates.ts';
import { ApiClient } from '../support/api-client.ts';
import { freePort } from '../../src/local/ports.ts';

const apiKey = 'a-key-of-temporal-cloud';

describe('A Temporal behind TLS', () => {
  const stack = useSharedStack();
  let folder: string;
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const running: OwnProcess[] = [];
  let door: GuardedDoor | undefined;

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'parley-tls-'));
  });
  afterEach(async () => {
    await Promise.all(
      running
        .splice(0)
        .filter(({ pid }) => isAlive(pid))
        .map((one) => one.kill()),
    );
    await door?.close();
  });
  after(() => {
    rmSync(folder, { recursive: true });
  });

  /** An API and a worker in a namespace of their own, that reach Temporal by these settings.
   *  @param meanwhile what is done before the worker starts
   *  @returns their API */
  async function start(
    settings: NodeJS.ProcessEnv,
    meanwhile?: (origin: string) => Promise<void>,
  ): Promise<ApiClient> {
    const port = await freePort();
    const env: NodeJS.ProcessEnv = {
      ...stack().env,
      ...{ TEMPORAL_ADDRESS: door?.address, PORT: String(port) },
      TEMPORAL_NAMESPACE: await (await backing()).freshNamespace(),
      TEMPORAL_TLS_SERVER_CA_CERT_PATH: file('authority.pem', authorityCertificate),
      ...settings,
    };
    running.push(await startOwnProcess('api', env, join(folder, 'api.log')));
    await meanwhile?.(`http://127.0.0.1:${port}`);
    running.push(await startOwnProcess('worker', env, join(folder, 'worker.log')));
    return new ApiClient(`http://127.0.0.1:${port}/v1`, stack().token);
  }

  async function answered(api: ApiClient): Promise<void> {
    const agent = await api.createAgent({ script: [{ when: '^(.*)$', reply: 'echo: $1' }] });
    const { conversation_id } = await api.send(agent.id, { message: 'hello' });
    await api.settled(conversation_id);
    const messages = await api.messages(conversation_id);
    assert.equal(messages.at(-1)?.text, 'echo: hello');
  }

  const bothPassed = () => {
    const paths = new Set(door?.passed.map(({ path }) => path.split('/').at(-1)));
    // The first is the API's client's, the others the worker's.
    for (const one of [
      'SignalWithStartWorkflowExecution',
      'PollWorkflowTaskQueue',
      'PollActivityTaskQueue',
    ]) {
      assert.ok(paths.has(one), `${one} passed`);
    }
  };

  it('that requires an API key: TEMPORAL_API_KEY', async () => {
    door = await startGuardedDoor({ behind: stack().temporal.address, apiKey });
    await answered(await start({ TEMPORAL_API_KEY: apiKey }));
    bothPassed();
    assert.equal(door.refused(), 0);
  });

  it('that requires an API key: a profile in a mounted file', async () => {
    door = await startGuardedDoor({ behind: stack().temporal.address, apiKey });
    const profile = file('cloud.toml', `[profile.default]\napi_key = "${apiKey}"\n`);
    await answered(await start({ TEMPORAL_CONFIG_FILE: profile }));
    bothPassed();
  });

  it('that requires a client certificate: TEMPORAL_TLS_CLIENT_CERT_PATH, …_KEY_PATH', async () => {
    door = await startGuardedDoor({ behind: stack().temporal.address, wantsCertificate: true });
    await answered(
      await start({
        TEMPORAL_TLS_CLIENT_CERT_PATH: file('client.pem', clientCertificate),
        TEMPORAL_TLS_CLIENT_KEY_PATH: file('client.key', clientKey),
      }),
    );
    bothPassed();
  });

  it('refuses a wrong key and a missing certificate: the worker does not start, the API is not ready', async () => {
    for (const guard of [{ apiKey }, { wantsCertificate: true }]) {
      door = await startGuardedDoor({ behind: stack().temporal.address, ...guard });
      let ready: number | undefined;
      const started = start({ TEMPORAL_API_KEY: 'another' }, async (origin) => {
        ready = (await fetch(`${origin}/readyz`)).status;
      });
      await assert.rejects(started, /The worker did not start/);
      assert.equal(ready, 503);
      assert.ok(door.refused() > 0);
      assert.deepEqual(door.passed, []);
      await running.pop()?.kill();
      await door.close();
    }
    door = undefined;
  });
});
