/** Tool calls that a person must approve: what is executed, when, and what ends the wait otherwise. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { approval, type Approval } from '../../../src/contract/conversations/approvals.ts';
import type { Agent } from '../../../src/contract/conversations/agents.ts';
import { conversationWorkflowId, statusQuery } from '../../../src/contract/workflows.ts';
import { createToken } from '../../../src/adapters/postgres/accounts/tokens.ts';
import { ApiClient } from '../../support/api-client.ts';
import { startReceiver, type Receiver } from '../../support/receiver.ts';
import { useStack } from '../../support/stack.ts';
import { until } from '../../support/until.ts';

let made = 0;

describe('Approvals of tool calls', () => {
  let shop: Receiver;
  const stack = useStack(async () => {
    shop = await startReceiver();
    const settings = { ENCRYPTION_KEY: randomBytes(32).toString('base64'), TOOL_ALLOW: '127.0.0.1' };
    return { env: { ...settings, SYNC_TIMEOUT_SECONDS: '3' }, apis: 1, workers: 1 };
  });
  after(async () => {
    await shop.close();
  });

  type Shop = { api: ApiClient; agent: Agent; path: string; organizationId: string };
  /** An agent that refunds 80 when it is asked to, and repeats what the tool returned. */
  async function newShop(policy: object, more: object = {}): Promise<Shop> {
    const { api, organizationId } = await stack().stranger();
    made += 1;
    const path = `/refunds/${made}`;
    const tool = await api.call('POST', '/tools/http', {
      body: {
        ...{ name: 'refund', description: 'Refunds an amount.', method: 'POST', url: shop.url(path) },
        parameters: {
          type: 'object',
          properties: {
            amount: { type: 'number', title: 'Amount in R$', multipleOf: 0.01 },
            order: { type: 'string' },
          },
        },
        effect: 'write',
      },
    });
    assert.equal(tool.status, 201, JSON.stringify(tool.body));
    shop.behave(path, { headers: { 'content-type': 'application/json' }, body: '"refunded"' });
    const agent = await api.createAgent({
      tools: ['refund'],
      tool_policies: [{ tool: 'refund', ...policy }],
      script: [
        { on: 'tool_result', when: '(.*)', reply: 'read: $1' },
        { when: 'refund 20', tool: { action: 'refund', input: { amount: 20, order: 'A7' } } },
        { when: 'refund', tool: { action: 'refund', input: { amount: 80, order: 'A7' } } },
        { reply: 'Hello' },
      ],
      ...more,
    });
    return { api, agent, path, organizationId };
  }
  const list = async (api: ApiClient, query = ''): Promise<Approval[]> => {
    const answer = await api.call('GET', `/approvals${query}`);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return (answer.body as { data: unknown[] }).data.map((one) => approval.strict().parse(one));
  };
  const waiting = async ({ api }: Pick<Shop, 'api'>): Promise<Approval> =>
    await until('an approval to wait', async () => (await list(api, '?status=waiting'))[0]);
  const decide = async (api: ApiClient, { id }: { id: string }, body: object) =>
    await api.call('POST', `/approvals/${id}`, { body });
  const ended = async (api: ApiClient, { id }: { id: string }): Promise<Approval> =>
    await until('the approval to end', async () => {
      const { body } = await api.call('GET', `/approvals/${id}`);
      const one = approval.strict().parse(body);
      return one.status !== 'waiting' && one.status !== 'approved' && one;
    });
  const refunds = (path: string) => shop.requestsTo(path).map(({ body }) => JSON.parse(body) as unknown);
  const answerOf = async ({ api }: Shop, conversationId: string) =>
    (await api.settled(conversationId)).filter(({ role }) => role === 'agent').map(({ text }) => text);

  it('a call waits, is shown, and is executed once with its arguments when somebody approves it', async () => {
    const one = await newShop({ policy: 'ask', unless: 'amount <= 50' });
    const { api, agent, path } = one;
    const { conversation_id } = await api.send(agent.id, {
      message: 'refund please',
      contact: { id: 'ada', name: 'Ada' },
      webhook_url: stack().receiver.url(path),
      metadata: { order: 17 },
    });
    const asked = await waiting(one);
    assert.deepEqual(asked.arguments, { amount: 80, order: 'A7' });
    assert.equal(asked.agent_name, agent.name);
    assert.deepEqual(asked.contact, { id: 'ada', name: 'Ada' });
    assert.equal(asked.on_expiry, 'refuse');
    assert.equal(asked.customer_message, 'refund please');
    assert.deepEqual(asked.argument_schemas, { amount: { title: 'Amount in R$', multipleOf: 0.01 } });
    assert.deepEqual(await list(api, '?status=decided'), []);
    const handle = stack().temporal.client.workflow.getHandle(conversationWorkflowId(conversation_id));
    await until('the workflow to wait for it', async () => {
      const { doing, state } = await handle.query(statusQuery);
      return (
        doing.includes('waiting for a person to approve a tool call, until') &&
        state === 'waiting_for_approval'
      );
    });
    const [request] = await stack().receiver.waitFor(path, 1);
    const event = JSON.parse(request?.body ?? '') as Record<string, unknown>;
    const { timestamp: _, ...payload } = event;
    assert.deepEqual(payload, {
      ...{ event: 'approval.requested', approval_id: asked.id, agent_id: agent.id, conversation_id },
      ...{ tool: 'refund', arguments: asked.arguments, arguments_hash: asked.arguments_hash },
      ...{ expires_at: asked.expires_at, on_expiry: 'refuse', metadata: { order: 17 } },
    });
    assert.deepEqual(refunds(path), [], 'nothing is executed before the decision');
    const answer = await decide(api, asked, { decision: 'approve' });
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    assert.deepEqual(await answerOf(one, conversation_id), ['read: "refunded"']);
    assert.deepEqual(refunds(path), [{ amount: 80, order: 'A7' }]);
    const done = await ended(api, asked);
    assert.equal(done.status, 'executed');
    assert.deepEqual(await list(api, '?status=decided'), [done]);
    assert.equal(done.decided_by?.kind, 'token');
    assert.equal((await handle.query(statusQuery)).state, undefined);
    const deliveries = await until('the callbacks to have their outcome', async () => {
      const all = await api.deliveries({ conversation_id });
      return all.every(({ status: outcome }) => !/pending|attempting/.test(outcome)) && all;
    });
    assert.deepEqual(
      deliveries.map(({ event: name, status }) => [name, status]),
      [
        ['message.completed', 'delivered'],
        ['approval.requested', 'delivered'],
      ],
    );
  });

  it('a call whose arguments satisfy the condition runs without asking', async () => {
    const one = await newShop({ policy: 'ask', unless: 'amount <= 50' });
    const { conversation_id } = await one.api.send(one.agent.id, { message: 'refund 20' });
    assert.deepEqual(await answerOf(one, conversation_id), ['read: "refunded"']);
    assert.deepEqual(await list(one.api), []);
  });

  it('never refuses the call, and the model reads why', async () => {
    const one = await newShop({ policy: 'never' });
    const { conversation_id } = await one.api.send(one.agent.id, { message: 'refund' });
    const [response = ''] = await answerOf(one, conversation_id);
    assert.match(response, /^read: Error: this agent may not call refund with these arguments/);
    assert.deepEqual(refunds(one.path), []);
  });

  it('a refused call is not executed, and the model reads the note', async () => {
    const one = await newShop({ policy: 'ask' });
    const { conversation_id } = await one.api.send(one.agent.id, { message: 'refund' });
    const asked = await waiting(one);
    await decide(one.api, asked, { decision: 'refuse', note: 'no receipt' });
    assert.deepEqual(await answerOf(one, conversation_id), [
      'read: Not executed: refused by a person: no receipt',
    ]);
    assert.deepEqual(refunds(one.path), []);
    const { status, note } = await ended(one.api, asked);
    assert.deepEqual([status, note], ['refused', 'no receipt']);
  });

  it('one of racing deciders wins, and the others get an error that names the winner', async () => {
    const one = await newShop({ policy: 'ask' });
    const { conversation_id } = await one.api.send(one.agent.id, { message: 'refund' });
    const asked = await waiting(one);
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) => decide(one.api, asked, { decision: n % 2 ? 'approve' : 'refuse' })),
    );
    assert.equal(answers.filter(({ status }) => status === 200).length, 1);
    const lost = answers.find(({ status }) => status !== 200) ?? assert.fail();
    assert.equal(lost.status, 409);
    assert.match(
      JSON.stringify(lost.body),
      /API token a token \(pk_\w+…\) (approved|refused) this tool call at .*already_decided/,
    );
    const { status } = await ended(one.api, asked);
    const won = (answers.find((answer) => answer.status === 200) ?? assert.fail()).body as Approval;
    assert.equal(status, won.status === 'refused' ? 'refused' : 'executed');
    await one.api.settled(conversation_id);
    assert.equal(refunds(one.path).length, status === 'executed' ? 1 : 0);
  });

  it('an approval that nobody decides expires: refused by default, approved if the policy allows it', async () => {
    const refused = await newShop({ policy: 'ask', expires_after_seconds: 1 });
    const approved = await newShop({ policy: 'ask', expires_after_seconds: 1, on_expiry: 'approve' });
    const begun = await Promise.all(
      [refused, approved].map((one) => one.api.send(one.agent.id, { message: 'refund' })),
    );
    const [no, yes] = [
      await answerOf(refused, begun[0]?.conversation_id ?? ''),
      await answerOf(approved, begun[1]?.conversation_id ?? ''),
    ];
    assert.deepEqual(no, ['read: Not executed: nobody approved it in time.']);
    assert.deepEqual(yes, ['read: "refunded"']);
    assert.deepEqual([refunds(refused.path).length, refunds(approved.path).length], [0, 1]);
    const [one = assert.fail()] = await list(refused.api);
    assert.equal(one.status, 'expired');
    assert.equal(one.decided_by?.kind, 'system');
    assert.equal((await decide(refused.api, one, { decision: 'approve' })).status, 409);
    assert.equal((await list(approved.api))[0]?.status, 'executed');
    const { rows } = await stack().db.pool.query<{ action: string }>(
      `select action from audit_log where organization_id = $1 and action like 'approval%'`,
      [refused.organizationId],
    );
    assert.deepEqual(rows, [{ action: 'approval_expired' }]);
  });

  it('a message that arrives while a call waits is answered by the next run', async () => {
    const one = await newShop({ policy: 'ask' });
    const { conversation_id } = await one.api.send(one.agent.id, { message: 'refund' });
    const asked = await waiting(one);
    await one.api.send(one.agent.id, { message: 'anyone there?', conversation_id });
    assert.deepEqual(
      (await one.api.messages(conversation_id)).map((each) => each.role === 'user' && each.status),
      ['processing', 'queued'],
    );
    await decide(one.api, asked, { decision: 'refuse' });
    assert.deepEqual(await answerOf(one, conversation_id), [
      'read: Not executed: refused by a person.',
      'Hello',
    ]);
  });

  it('a synchronous call that waits too long gets 504, and its answer is in the history', async () => {
    const one = await newShop({ policy: 'ask' });
    const answer = await one.api.call('POST', `/chat/${one.agent.id}`, {
      body: { message: 'refund', sync: true },
    });
    assert.equal(answer.status, 504, JSON.stringify(answer.body));
    const { conversation_id } = answer.body as { conversation_id: string };
    await decide(one.api, await waiting(one), { decision: 'approve' });
    assert.deepEqual(await answerOf(one, conversation_id), ['read: "refunded"']);
  });

  for (const [title, why, end] of [
    [
      'cancelling the run',
      'the run was cancelled',
      ({ api }: Shop, id: string) => api.call('POST', `/conversations/${id}/cancel`),
    ],
    [
      'switching the agent off',
      'the agent was switched off',
      ({ api, agent }: Shop) => api.call('PATCH', `/agents/${agent.id}`, { body: { active: false } }),
    ],
    [
      'deleting the agent',
      'the agent was switched off',
      ({ api, agent }: Shop) => api.call('DELETE', `/agents/${agent.id}`),
    ],
    [
      'taking the tool from the agent',
      'the agent no longer has this tool',
      ({ api, agent }: Shop) =>
        api.call('PATCH', `/agents/${agent.id}`, { body: { tools: [], tool_policies: [] } }),
    ],
  ] as const)
    it(`${title} refuses the waiting calls, and a later approval executes nothing`, async () => {
      const one = await newShop({ policy: 'ask' });
      const { conversation_id } = await one.api.send(one.agent.id, { message: 'refund' });
      const asked = await waiting(one);
      assert.ok((await end(one, conversation_id)).status < 300);
      const late = await decide(one.api, asked, { decision: 'approve' });
      assert.equal(late.status, 409, JSON.stringify(late.body));
      assert.match(JSON.stringify(late.body), new RegExp(why));
      assert.equal((await ended(one.api, asked)).status, 'refused');
      if (title === 'cancelling the run') {
        // The workflow is free for the next message.
        await one.api.send(one.agent.id, { message: 'hi', conversation_id });
        assert.deepEqual(await answerOf(one, conversation_id), ['Hello']);
      } else await one.api.settled(conversation_id);
      assert.deepEqual(refunds(one.path), []);
    });

  it('erasing the conversation erases its waiting calls', async () => {
    const one = await newShop({ policy: 'ask' });
    const { conversation_id } = await one.api.send(one.agent.id, { message: 'refund' });
    const asked = await waiting(one);
    assert.equal((await one.api.call('DELETE', `/conversations/${conversation_id}`)).status, 204);
    assert.equal((await decide(one.api, asked, { decision: 'approve' })).status, 404);
    assert.deepEqual(await list(one.api), []);
    assert.deepEqual(refunds(one.path), []);
  });

  it('a worker killed while a call waits, and after its approval, executes it once', async () => {
    const one = await newShop({ policy: 'ask' });
    const { conversation_id } = await one.api.send(one.agent.id, { message: 'refund' });
    const asked = await waiting(one);
    await stack().worker.kill();
    // Nobody executes it now: the decision is kept, and the next worker executes it.
    assert.equal((await decide(one.api, asked, { decision: 'approve' })).status, 200);
    await stack().worker.start();
    assert.deepEqual(await answerOf(one, conversation_id), ['read: "refunded"']);
    assert.equal(refunds(one.path).length, 1);
    assert.equal((await ended(one.api, asked)).status, 'executed');
  });

  it('a worker killed while the tool is called leaves the outcome unknown, and never calls it again', async () => {
    const one = await newShop({ policy: 'ask' });
    shop.behave(one.path, { hang: true });
    const { conversation_id } = await one.api.send(one.agent.id, { message: 'refund' });
    const asked = await waiting(one);
    await decide(one.api, asked, { decision: 'approve' });
    await shop.waitFor(one.path, 1);
    await stack().worker.kill();
    await stack().worker.start();
    const [text] = await answerOf(one, conversation_id);
    assert.match(text ?? '', /UNKNOWN_OUTCOME/);
    assert.equal(refunds(one.path).length, 1);
    assert.equal((await ended(one.api, asked)).status, 'unknown');
  });

  it('arguments that changed after they were shown are not executed', async () => {
    const one = await newShop({ policy: 'ask' });
    const { conversation_id } = await one.api.send(one.agent.id, { message: 'refund' });
    const asked = await waiting(one);
    await stack().worker.kill();
    assert.equal((await decide(one.api, asked, { decision: 'approve' })).status, 200);
    await stack().db.pool.query(
      `update tool_calls set input = '{"amount": 8000}' where run_id in (select run_id from approvals where id = $1)`,
      [asked.id],
    );
    await stack().worker.start();
    assert.deepEqual(await answerOf(one, conversation_id), [
      'read: Not executed: the call is not the one that was shown.',
    ]);
    assert.deepEqual(refunds(one.path), []);
    assert.equal((await ended(one.api, asked)).status, 'refused');
  });

  it('policies and decisions are in the export', async () => {
    const one = await newShop({ policy: 'ask', unless: 'amount <= 50' });
    const { conversation_id } = await one.api.send(one.agent.id, { message: 'refund' });
    await decide(one.api, await waiting(one), { decision: 'refuse', note: 'no receipt' });
    await one.api.settled(conversation_id);
    const { body } = await one.api.call('GET', '/export');
    const lines = String(body)
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    const of = (type: string) => lines.find((line) => line['type'] === type) ?? assert.fail(type);
    for (const type of ['agent', 'agent_version'])
      assert.deepEqual(of(type)['tool_policies'], one.agent.tool_policies, type);
    const { arguments: shown, status, note } = of('tool_call')['approval'] as Approval;
    assert.deepEqual([shown, status, note], [{ amount: 80, order: 'A7' }, 'refused', 'no receipt']);
  });

  it('a token needs approvals.decide to decide, and conversations.view to read', async () => {
    const one = await newShop({ policy: 'ask' });
    await one.api.send(one.agent.id, { message: 'refund' });
    const asked = await waiting(one);
    const withScope = async (
      scope: 'approvals.decide' | 'conversations.view' | 'conversations.take_over',
    ) => {
      const { token } = await createToken(stack().db, {
        ...{ organizationId: one.organizationId, name: scope, scopes: [scope] },
      });
      return new ApiClient(stack().apiUrl, token);
    };
    for (const scope of ['conversations.view', 'conversations.take_over'] as const)
      assert.equal((await decide(await withScope(scope), asked, { decision: 'approve' })).status, 403, scope);
    const decider = await withScope('approvals.decide');
    assert.equal((await decider.call('GET', '/approvals')).status, 403);
    assert.equal((await decide(decider, asked, { decision: 'refuse' })).status, 200);
  });

  it('a token without tools.manage cannot change a policy', async () => {
    const one = await newShop({ policy: 'never' });
    const { token } = await createToken(stack().db, {
      ...{ organizationId: one.organizationId, name: 'editor', scopes: ['agents.manage'] },
    });
    const body = { tool_policies: [] };
    const editor = new ApiClient(stack().apiUrl, token);
    await editor.refused(403, 'PATCH', `/agents/${one.agent.id}`, { body });
    const bad = await one.api.refused(422, 'PATCH', `/agents/${one.agent.id}`, {
      body: { tool_policies: [{ tool: 'refund', policy: 'ask', unless: 'amount <= fifty' }] },
    });
    assert.equal(bad.details?.[0]?.path, 'tool_policies.0.unless');
  });
});
