/** A whole Parley, as `npm start` runs it, and a gateway emulator that its channel may be connected to. */
import type { RunningFile } from '../../src/local/running-file.ts';
import { startGatewayEmulator } from './gateway/start-gateway-emulator.ts';
import type { GatewayEmulator } from './gateway/start-gateway-emulator.ts';
import { endCopies, freshFolder, startCopy, type LocalCopy } from './local-copy.ts';
import { until } from './until.ts';

export type Answered<T = Record<string, unknown>> = { status: number; body: T };

export type ChannelStand = {
  readonly copy: LocalCopy;
  readonly running: RunningFile;
  readonly emulator: GatewayEmulator;
  readonly call: <T = Record<string, unknown>>(
    method: string,
    path: string,
    body?: unknown,
  ) => Promise<Answered<T>>;
  /** A new agent with this script. @returns its id */
  readonly agent: (script: unknown[], more?: Record<string, unknown>) => Promise<string>;
  /** An agent whose channel is connected to the emulator, with its webhook set. */
  readonly connected: (
    script: unknown[],
    more?: Record<string, unknown>,
  ) => Promise<{ id: string; webhookUrl: string }>;
  /** Ends one process by force, and waits until another has its place. */
  readonly kill: (name: 'api' | 'worker') => Promise<void>;
  readonly stop: () => Promise<void>;
};

let made = 0;

export async function startChannelStand(env: NodeJS.ProcessEnv = {}): Promise<ChannelStand> {
  const emulator = await startGatewayEmulator();
  const copy = startCopy(
    `${freshFolder()}/data`,
    {
      GATEWAY_ALLOW: '127.0.0.1/32',
      CALLBACK_ALLOW: '127.0.0.1/32',
      GATEWAY_PACE: 'none',
      GATEWAY_TIMEOUT_SECONDS: '2',
      GATEWAY_ASK_SECONDS: '1',
      GATEWAY_WATCH_SECONDS: '1',
      SWEEP_SECONDS: '2',
      RATE_LIMIT: 'off',
      ...env,
    },
    ['npm', 'start', '--silent'],
  );
  const running = await copy.ready();
  const call: ChannelStand['call'] = async (method, path, body) => {
    const response = await fetch(`${running.base_url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${running.token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: (text === '' ? {} : JSON.parse(text)) as never };
  };
  const agent: ChannelStand['agent'] = async (script, more = {}) => {
    const answer = await call<{ id: string }>('POST', '/agents', {
      name: `agent ${++made}`,
      script,
      ...more,
    });
    if (answer.status !== 201) throw new Error(JSON.stringify(answer));
    return answer.body.id;
  };
  return {
    copy,
    running,
    emulator,
    call,
    agent,
    connected: async (script, more) => {
      const id = await agent(script, more);
      const form = { base_url: emulator.url, instance_token: emulator.instanceToken };
      const put = await call<{ webhook_url: string }>('PUT', `/agents/${id}/channel`, form);
      if (put.status !== 200) throw new Error(JSON.stringify(put));
      await call('POST', `/agents/${id}/channel/webhook`);
      const verified = await call('POST', `/agents/${id}/channel/verify`);
      if (verified.body['state'] !== 'connected') throw new Error(JSON.stringify(verified));
      return { id, webhookUrl: put.body.webhook_url };
    },
    kill: async (name) => {
      const before = copy.running()!.processes[name];
      process.kill(before, 'SIGKILL');
      await until(`a new ${name}`, () => copy.running()!.processes[name] !== before);
      if (name === 'api') await copy.ready();
    },
    stop: async () => {
      await endCopies();
      await emulator.stop();
    },
  };
}
