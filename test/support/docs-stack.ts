/** Parley with the workspace emulator beside it: for tests of the tools as callers use them. */
import assert from 'node:assert/strict';
import { docsResult, type DocsResult } from '../../src/contract/workspace/actions.ts';
import { toolConnection, type ToolConnection } from '../../src/contract/workspace/tools.ts';
import type { ApiClient } from './api-client.ts';
import { beforeBackingStops } from './backing.ts';
import { startModelServer, type ModelServer } from './model-server.ts';
import { startStack, type Stack } from './stack.ts';
import { startWorkspaceEmulator, type WorkspaceEmulator } from './workspace/emulator.ts';

export type DocsStack = {
  stack: Stack;
  emulator: WorkspaceEmulator;
  /** The organization's default model. */
  model: ModelServer;
};

export type DocsCaller = {
  organizationId: string;
  token: string;
  api: ApiClient;
  /** Runs an action over the API; it must answer 200. */
  run: (action: string, input: unknown, more?: Record<string, unknown>) => Promise<DocsResult>;
  /** One that must succeed: its data, parsed. */
  ok: (action: string, input: unknown) => Promise<Record<string, unknown>>;
};

/** Seconds; a request that hangs is given up soon, so that tests of lost answers are quick. */
export const requestSeconds = 3;

export async function startDocsStack(env: NodeJS.ProcessEnv = {}): Promise<DocsStack> {
  const [emulator, model] = await Promise.all([startWorkspaceEmulator(), startModelServer()]);
  const stack = await startStack({
    env: {
      MODEL_BASE_URL: model.baseUrl,
      MODEL_NAME: 'tested-1',
      DOCS_API_URL: emulator.url,
      DOCS_TIMEOUT_SECONDS: String(requestSeconds),
      DOCS_REQUESTS_PER_SECOND: '2000',
      DOCS_REQUESTS_BURST: '2000',
      PUBLIC_URL: 'http://127.0.0.1:3000',
      DOCS_OAUTH_CLIENT_ID: emulator.oauth.clientId,
      DOCS_OAUTH_CLIENT_SECRET: emulator.oauth.clientSecret,
      ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
      ...env,
    },
  });
  return { stack, emulator, model };
}

let shared: Promise<DocsStack> | undefined;

/** The one that files share which leave its processes as they are. The emulator is as new before each test. */
export function useDocsStack(): () => DocsStack {
  let found: DocsStack | undefined;
  before(async () => {
    shared ??= startDocsStack().then((started) => {
      beforeBackingStops(async () => {
        await started.stack.stop();
        await Promise.all([started.emulator.stop(), started.model.close()]);
      });
      return started;
    });
    found = await shared;
  });
  beforeEach(() => {
    found?.emulator.reset();
  });
  return () => {
    assert.ok(found);
    return found;
  };
}

export async function connect(api: ApiClient, api_key: string): Promise<ToolConnection> {
  const answer = await api.call('POST', '/tools/docs/connections', { body: { auth: 'API_KEY', api_key } });
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  return toolConnection.strict().parse(answer.body);
}

/** A new organization that is connected with the emulator's main integration. */
export async function newDocsCaller({ stack, emulator }: DocsStack): Promise<DocsCaller> {
  const { organizationId, token, api } = await stack.stranger();
  await connect(api, emulator.tokens.main);
  const run: DocsCaller['run'] = async (action, input, more = {}) => {
    const answer = await api.call('POST', `/tools/docs/actions/${action}`, { body: { input, ...more } });
    assert.equal(answer.status, 200, `${action}: ${JSON.stringify(answer.body)}`);
    return docsResult.parse(answer.body);
  };
  return {
    organizationId,
    token,
    api,
    run,
    ok: async (action, input) => {
      const { successful, data, error } = await run(action, input);
      assert.equal(error, undefined, `${action}: ${error ?? ''}`);
      assert.equal(successful, true);
      return JSON.parse(data) as Record<string, unknown>;
    },
  };
}
