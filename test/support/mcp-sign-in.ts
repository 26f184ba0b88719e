/** Signs a person of the console in at an MCP server, step by step, as the console and a browser do. */
import assert from 'node:assert/strict';
import { httpToolResult } from '../../src/contract/http-tools/http-tools.ts';
import {
  mcpOffer,
  mcpServer,
  startedMcpSignIn,
  type McpServer,
} from '../../src/contract/mcp-servers/mcp-servers.ts';
import type { ApiClient } from './api-client.ts';
import type { ConsoleCaller } from './console-person.ts';
import type { McpOAuthServer } from './mcp-oauth-server.ts';

export async function addServer(api: ApiClient, url: string, more: object = {}): Promise<McpServer> {
  const body = { name: 'shop', url, auth: 'oauth', ...more };
  const answer = await api.call('POST', '/tools/mcp', { body });
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  return mcpServer.strict().parse(answer.body);
}

export const begin = async ({ call }: ConsoleCaller, { id }: Pick<McpServer, 'id'>, body: object = {}) =>
  await call('POST', `/tools/mcp/${id}/sign-in`, body);

export async function begun(
  caller: ConsoleCaller,
  server: Pick<McpServer, 'id'>,
  body: object = {},
): Promise<string> {
  const answer = await begin(caller, server, body);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return startedMcpSignIn.strict().parse(answer.body).authorization_url;
}

/** Follows a redirect of the authorization server. @returns the outcome that the console shows */
export async function comeBack(url: string, cookie = ''): Promise<string | null> {
  const answer = await fetch(url, { redirect: 'manual', headers: { cookie } });
  assert.equal(answer.status, 303, await answer.text());
  const target = new URL(answer.headers.get('location') ?? '', 'http://console');
  assert.equal(`${target.pathname} ${target.searchParams.get('tab')}`, '/admin/tools mcp');
  return target.searchParams.get('sign_in');
}

export async function signInAt(
  oauth: McpOAuthServer,
  caller: ConsoleCaller,
  server: Pick<McpServer, 'id'>,
  body: object = {},
): Promise<void> {
  const back = await oauth.visit(await begun(caller, server, body));
  assert.equal(await comeBack(back, caller.cookies), 'signed_in');
}

export const statusOf = async (api: ApiClient, { id }: Pick<McpServer, 'id'>): Promise<string> =>
  mcpServer.parse((await api.call('GET', `/tools/mcp/${id}`)).body).status;

export const readTools = async (api: ApiClient, { id }: Pick<McpServer, 'id'>) =>
  await api.call('POST', `/tools/mcp/${id}/read`);

/** Chooses the tool `refund` of the server. */
export async function chooseRefund(api: ApiClient, server: Pick<McpServer, 'id'>, effect = 'read') {
  const { tools } = mcpOffer.parse((await readTools(api, server)).body);
  const digest = tools.find(({ remote_name }) => remote_name === 'refund')?.definition?.digest;
  const body = { tools: [{ remote_name: 'refund', digest, effect }] };
  const answer = await api.call('PUT', `/tools/mcp/${server.id}/tools`, { body });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
}

export async function runRefund(api: ApiClient, { id }: Pick<McpServer, 'id'>) {
  const body = { name: 'mcp_shop_refund', input: { id: '1' } };
  const answer = await api.call('POST', `/tools/mcp/${id}/run`, { body });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return httpToolResult.parse(answer.body);
}
