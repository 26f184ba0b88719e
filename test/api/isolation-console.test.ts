/**
 * Every operation of the console with the identifiers of another organization, as an administrator of one's own and
 * as a member without capabilities: answered as an unknown one is, and not a row of the other organization is changed.
 * Generated from the table of operations. The identifiers that the operation's path and bodies name are always tried,
 * of the others a sample.
 */
import assert from 'node:assert/strict';
import { z } from 'zod';
import { consoleEndpoints } from '../../src/api/endpoints/console.ts';
import { signIn, type ConsoleCaller } from '../support/console-person.ts';
import {
  changesOfAgents,
  newVictim,
  RowsOfOrganizations,
  type Victim,
} from '../support/isolation-victims.ts';
import { drawnBy, isDrawn } from '../support/sample.ts';
import { unknownId } from '../support/unknown-id.ts';
import { useUnlimitedStack } from '../support/stack.ts';

type Own = { agentId: string; memberId: string };

/** Bodies of those that take one; only such as name something, by the path or in themselves, are of interest. */
const bodies: Record<string, (id: string, own: Own) => [path: string, body: unknown][]> = {
  'post /sign-in': () => [],
  'post /sign-in/code': () => [],
  // Names a provider of the operator's settings.
  'post /sign-in-providers/{id}': () => [],
  'post /sign-in-providers/{id}/finish': () => [],
  // These concern the caller's own account.
  'post /second-factor': () => [],
  'post /second-factor/confirm': () => [],
  'post /second-factor/remove': () => [],
  'post /second-factor/recovery-codes': () => [],
  'post /password': () => [],
  // Named by a secret alone, which is in no list.
  'post /invitation': () => [],
  'post /invitation/accept': () => [],
  // Answered alike for every email.
  'post /password-reset/request': () => [],
  'post /password-reset': () => [],
  'post /password-reset/use': () => [],
  'post /invitations': (id) => [['/invitations', { email: 'never@example.com', role_id: id }]],
  'post /organization': (id) => [['/organization', { organization_id: id }]],
  'post /tokens': (id) => [['/tokens', { name: 'Isolated', agent_ids: [id] }]],
  'post /approvals/{id}': (id) => [[`/approvals/${id}`, { decision: 'approve' }]],
  'post /tokens/{id}/rotate': (id) => [[`/tokens/${id}/rotate`, {}]],
  'put /agents-file': (id) => [
    ['/agents-file', { yaml: `agents:\n  - name: Isolated\n    transfers_to: [${id}]\n` }],
  ],
  'post /policy-tests': () => [],
  'post /tools/docs/connections': () => [],
  'post /tools/http': () => [],
  'post /tools/http/openapi': () => [],
  'patch /tools/http/{id}': (id) => [[`/tools/http/${id}`, { timeout_seconds: 20 }]],
  'post /tools/http/{id}/run': (id) => [[`/tools/http/${id}/run`, { input: {} }]],
  'post /tools/mcp': () => [],
  'patch /tools/mcp/{id}': (id) => [[`/tools/mcp/${id}`, { timeout_seconds: 20 }]],
  'put /tools/mcp/{id}/tools': (id) => [[`/tools/mcp/${id}/tools`, { tools: [] }]],
  'post /tools/mcp/{id}/sign-in': (id) => [[`/tools/mcp/${id}/sign-in`, {}]],
  'post /tools/mcp/{id}/run': (id) => [[`/tools/mcp/${id}/run`, { name: 'mcp_mine_tool', input: {} }]],
  'post /tools/docs/actions/{action}': (id) => [
    [`/tools/docs/actions/${id}`, { input: {} }],
    ['/tools/docs/actions/DOCS_LIST_USERS', { input: {}, connection_id: id }],
  ],
  'post /model-providers': () => [],
  'post /local-model': () => [],
  'patch /model-providers/{id}': (id) => [[`/model-providers/${id}`, { api_key: 'another' }]],
  'post /model-providers/{id}/test': (id) => [[`/model-providers/${id}/test`, { model: 'x' }]],
  // Names a model, and the prices of an organization are in its own row.
  'put /model-price': () => [],
  'put /default-model': (id) => [['/default-model', { model: `${id}/x` }]],
  'post /agents': (id) => [['/agents', { name: 'Isolated by the console', transfers_to: [id] }]],
  ...changesOfAgents,
  'post /chat/{id}': (id, { agentId }) => [
    [`/chat/${id}`, { message: 'hello' }],
    [`/chat/${agentId}`, { message: 'hello', conversation_id: id }],
  ],
  'put /agents/{id}/channel': (id) => [
    [`/agents/${id}/channel`, { base_url: 'https://gateway.example', instance_token: 'a-token' }],
  ],
  'patch /agents/{id}/channel': (id) => [[`/agents/${id}/channel`, { pause_minutes: 5 }]],
  'post /agents/{id}/channel/hello': (id) => [
    [`/agents/${id}/channel/hello`, { request_id: id, to: '+5511999990009' }],
  ],
  'post /conversations/{conversationId}/pause': (id) => [[`/conversations/${id}/pause`, { minutes: 5 }]],
  'post /conversations/{conversationId}/regenerate': (id) => [[`/conversations/${id}/regenerate`, {}]],
  'post /conversations/{conversationId}/messages': (id) => [
    [`/conversations/${id}/messages`, { text: 'hello' }],
  ],
  'post /runs/{id}/try': (id) => [[`/runs/${id}/try`, { instructions: 'Other.' }]],
  'post /conversations/{id}/notes': (id) => [[`/conversations/${id}/notes`, { text: 'a note' }]],
  'put /conversations/{id}/assignee': (id) => [
    [`/conversations/${id}/assignee`, { user_id: null }],
    [`/conversations/${id}/assignee`, { user_id: id }],
  ],
  'put /waiting-mails': () => [],
  'patch /account': () => [],
  'put /conversations/{id}/seen': (id) => [[`/conversations/${id}/seen`, { messages: 1 }]],
  'patch /organization': () => [],
  'post /webhook-endpoints': () => [],
  'post /test-callbacks': () => [],
  'post /loopback-receivers': () => [],
  'patch /webhook-endpoints/{id}': (id) => [[`/webhook-endpoints/${id}`, { waiting_alerts: true }]],
  'post /webhook-endpoints/{id}/rotate': (id) => [[`/webhook-endpoints/${id}/rotate`, {}]],
  'put /limit': () => [],
  'put /tokens/{id}/limit': (id) => [[`/tokens/${id}/limit`, { monthly_credit_limit: 1 }]],
  'patch /members/{id}': (id, { memberId }) => [
    [`/members/${id}`, { role_id: 'admin' }],
    [`/members/${memberId}`, { role_id: id }],
  ],
  'post /mcp-grants': (id) =>
    [
      { client_id: unknownId, organization_id: id },
      { client_id: id, organization_id: id },
    ].map((named) => [
      '/mcp-grants',
      { ...named, redirect_uri: 'https://x.example/', code_challenge: 'x'.repeat(43), allow: true },
    ]),
  'post /roles': () => [],
  'patch /roles/{id}': (id) => [[`/roles/${id}`, { name: 'Taken over', capabilities: [] }]],
};

describe(`Isolation of organizations in the console (${drawnBy})`, () => {
  const stack = useUnlimitedStack();
  let rows: RowsOfOrganizations;
  let victim: Victim;
  let callers: { administrator: ConsoleCaller; powerless: ConsoleCaller };
  let own: Own;

  before(async () => {
    rows = new RowsOfOrganizations(stack());
    victim = await newVictim(stack());
    callers = { administrator: await signIn(stack()), powerless: await signIn(stack(), []) };
    const { data } = (await callers.administrator.call('GET', '/members')).body as {
      data: { id: string; is_you: boolean }[];
    };
    const memberId = data.find(({ is_you }) => !is_you)?.id ?? assert.fail('nobody else');
    own = { agentId: (await stack().api.createAgent()).id, memberId };
  });
  after(async () => {
    await rows.close();
  });

  let tried = 0;
  for (const endpoint of consoleEndpoints) {
    const { method, path, query } = endpoint;
    const takesBody = endpoint.body !== undefined;
    const capability = endpoint.auth === 'session' ? endpoint.capability : 'anyone';
    const name = `${method} ${path}`;
    const filters =
      query instanceof z.ZodObject ? Object.keys(query.shape).filter((key) => key.endsWith('_id')) : [];
    const callsWith = (id: string): [path: string, body?: unknown][] => [
      ...(takesBody
        ? (bodies[name]?.(id, own) ?? assert.fail(`${name} needs its line above`))
        : path.includes('{')
          ? [[path.replaceAll(/\{\w+\}/g, id)] as [string]]
          : []),
      ...filters.map((filter) => [`${path}?${filter}=${id}`] as [string]),
    ];
    const namesNothing = takesBody
      ? bodies[name]?.('', { agentId: '', memberId: '' }).length === 0
      : !path.includes('{');
    if (namesNothing && filters.length === 0) continue;
    tried += 1;

    for (const role of ['administrator', 'powerless'] as const) {
      it(`${name} shows nothing of others to ${role === 'administrator' ? 'an administrator' : 'a member without capabilities'}, and changes nothing`, async () => {
        // Each call of agents-file runs a thread, and waits as long as the one before ran.
        const ask = async (id: string) => {
          const answers = [];
          for (const [at, given] of callsWith(id)) {
            const answer = await callers[role].call(method.toUpperCase(), at, given);
            assert.ok(answer.status < 500, `${name}: ${answer.status}`);
            if (role === 'powerless' && capability !== 'member') assert.equal(answer.status, 403, name);
            answers.push({
              status: answer.status,
              said: answer.body,
              names: [...answer.headers.keys()].sort(),
            });
          }
          assert.ok(answers.length > 0);
          return JSON.parse(JSON.stringify(answers).replaceAll(id, 'ID')) as unknown;
        };
        const expected = await ask(unknownId);
        const before = await rows.of(victim.organizationId);
        for (const id of victim.idsFor(path, (id) => isDrawn(`${name} ${role} ${id}`, 6)))
          assert.deepEqual(await ask(id), expected, `${name} ${id}`);
        assert.deepEqual(await rows.of(victim.organizationId), before);
      });
    }
  }

  it('covers every operation with an identifier', () => {
    const named = consoleEndpoints.filter(({ path }) => path.includes('{'));
    assert.ok(tried >= named.length && named.length >= 20, `${tried} of ${named.length}`);
  });
});
