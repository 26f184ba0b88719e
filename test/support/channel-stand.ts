/**
 * A stack and a gateway emulator that its agents' channels may be connected to; one for all test files that share it.
 */
import { randomBytes } from 'node:crypto';
import { beforeBackingStops } from './backing.ts';
import { startGatewayEmulator } from './gateway/start-gateway-emulator.ts';
import type { GatewayEmulator } from './gateway/start-gateway-emulator.ts';
import { startStack, type Stack, type StackOptions } from './stack.ts';

export type Answered<T = Record<string, unknown>> = { status: number; body: T };

export type ChannelStand = {
  readonly stack: Stack;
  readonly emulator: GatewayEmulator;
  readonly call: <T = Record<string, unknown>>(
    method: string,
    path: string,
    body?: unknown,
  ) => Promise<Answered<T>>;
  /** A new agent with this script. @returns its id */
  readonly agent: (script: unknown[], more?: Record<string, unknown>) => Promise<string>;
  /** An agent whose channel is connected to the emulator, with its webhook set. Takes the number over from others. */
  readonly connected: (
    script: unknown[],
    more?: Record<string, unknown>,
  ) => Promise<{ id: string; webhookUrl: string }>;
  /** Makes these channels connected again beside the one that took their number over. */
  readonly share: (...agentIds: string[]) => Promise<void>;
  /** Ends these processes by SIGKILL, and starts others in their place. */
  readonly kill: (...names: ('api' | 'worker')[]) => Promise<void>;
  readonly stop: () => Promise<void>;
};

let made = 0;

/** @param env settings over those of a channel in a hurry */
export async function startChannelStand(
  env: NodeJS.ProcessEnv = {},
  processes: Omit<StackOptions, 'env'> = {},
): Promise<ChannelStand> {
  const emulator = await startGatewayEmulator();
  const stack = await startStack({
    ...processes,
    env: {
      GATEWAY_ALLOW: '127.0.0.1/32',
      CALLBACK_ALLOW: '127.0.0.1/32',
      GATEWAY_PACE: 'none',
      GATEWAY_SENDS_PER_MINUTE: 'off',
      GATEWAY_TIMEOUT_SECONDS: '2',
      GATEWAY_ASK_SECONDS: '1',
      GATEWAY_WATCH_SECONDS: '1',
      ENCRYPTION_KEY: randomBytes(32).toString('base64'),
      ...env,
    },
  });
  const call: ChannelStand['call'] = async (method, path, body) => {
    const response = await fetch(`${stack.apiUrl}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${stack.token}`,
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
    stack,
    emulator,
    call,
    agent,
    connected: async (script, more) => {
      const id = await agent(script, more);
      const form = { base_url: emulator.url, instance_token: emulator.instanceToken, take_over: true };
      const put = await call<{ webhook_url: string }>('PUT', `/agents/${id}/channel`, form);
      if (put.status !== 200) throw new Error(JSON.stringify(put));
      await call('POST', `/agents/${id}/channel/webhook`);
      const verified = await call('POST', `/agents/${id}/channel/verify`);
      if (verified.body['state'] !== 'connected') throw new Error(JSON.stringify(verified));
      return { id, webhookUrl: put.body.webhook_url };
    },
    share: async (...agentIds) => {
      await stack.db.pool.query(
        `update channels set state = 'connected', last_error = null, connected_number = $2, next_check_at = now()
           where agent_id = any($1)`,
        [agentIds, emulator.state.owner],
      );
    },
    kill: async (...names) => {
      const processes = names.map((name) => (name === 'api' ? stack.apiProcess : stack.worker));
      await Promise.all(processes.map((one) => one.kill()));
      await Promise.all(processes.map((one) => one.start()));
    },
    stop: async () => {
      await stack.stop();
      await emulator.stop();
    },
  };
}

let shared: Promise<ChannelStand> | undefined;

/** Started before the first test that needs it; ends with the backing. Leaves each test a gateway that works. */
export function useChannelStand(): () => ChannelStand {
  let stand: ChannelStand | undefined;
  before(async () => {
    shared ??= startChannelStand().then((started) => {
      beforeBackingStops(started.stop);
      return started;
    });
    stand = await shared;
  });
  beforeEach(() => {
    stand?.emulator.faults.clear();
    stand?.emulator.setSession('connected');
  });
  return () => {
    if (stand === undefined) throw new Error('the stand is there only while tests run');
    return stand;
  };
}
