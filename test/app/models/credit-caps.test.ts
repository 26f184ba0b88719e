/** Caps on credits: what fits is made, what does not is refused before the provider gets a request. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { languageModel } from '../../../src/adapters/models/language-model.ts';
import { modelFetch } from '../../../src/adapters/models/model-fetch.ts';
import type { Model } from '../../../src/adapters/models/model.ts';
import { providerModel } from '../../../src/adapters/models/provider-models.ts';
import { listAudit } from '../../../src/adapters/postgres/accounts/audit-log.ts';
import { reserveCredits, settleCredits } from '../../../src/adapters/postgres/data/credit-caps.ts';
import { plainModel } from '../../../src/app/workspace/plain-model.ts';
import type { Agent } from '../../../src/contract/conversations/agents.ts';
import type { Callback } from '../../../src/contract/conversations/callback.ts';
import type { ErrorBody } from '../../../src/contract/errors.ts';
import { signIn } from '../../support/console-person.ts';
import { useModelStack } from '../../support/model-stack.ts';
import { until } from '../../support/until.ts';

/** An answer of 15.3 credits, at 3 for 1,000 tokens in and 5 for 1,000 tokens out. */
const usage = { prompt_tokens: 100, completion_tokens: 3000 };
const dear = { kind: 'stream', text: 'dear', usage } as const;
/** Credits that are reserved for a short message: 4,000 tokens out, and some in. */
const reserved = { min: 20, max: 21 };

function compatibleModel(baseURL: string): Model {
  const access = { kind: 'compatible', baseURL, apiKey: '', fetch: modelFetch() } as const;
  const limits = { contextTokens: 8000, files: [] };
  const model = providerModel(access, 'tested-1');
  return languageModel({
    id: 'custom/tested-1',
    model,
    takesSchema: false,
    timeoutMs: 3000,
    limits,
    secrets: [],
  });
}

describe('A cap on credits', () => {
  const stack = useModelStack();

  /** The caps' windows of an organization, by scope and period. */
  async function windows(organizationId: string) {
    const rows: { scope: string; period: string; settled: number; reserved: number }[] = await stack()
      .db.knex('credit_windows')
      .where({ organization_id: organizationId })
      .select('scope', 'period', 'settled', 'reserved');
    return Object.fromEntries(
      rows.map(({ scope, period, settled, reserved: open }) => [`${scope} ${period}`, [settled, open]]),
    );
  }

  const ask = async (
    agentId: string,
    message: string,
    more: Record<string, unknown> = {},
    api = stack().api,
  ) => {
    const body = { message, sync: true, ...more };
    return await api.call('POST', `/chat/${agentId}`, { body });
  };

  it('of an agent refuses a call that does not fit with 402, and the provider gets no request', async () => {
    const { api, model, organizationId } = stack();
    const agent = await api.createAgent({ credit_caps: { day: 15.3 + reserved.max } });
    assert.deepEqual(agent.credit_caps, { day: 36.3 });
    model.answer('capped', dear);
    const answers = [];
    for (let count = 0; count < 3; count++) answers.push(await ask(agent.id, 'capped'));
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 402],
    );
    const { code, error, conversation_id } = answers[2]?.body as ErrorBody;
    assert.equal(code, 'credit_cap_reached');
    assert.equal(
      error,
      'The cap of 36.3 credits per day on this agent leaves no room for the call. It starts again at midnight (UTC).',
    );
    const [input] = await api.messages(conversation_id ?? '');
    assert.ok(input?.role === 'user' && input.status === 'failed');
    const calls = model.callsFor('capped');
    assert.deepEqual(
      calls.map(({ body }) => body['max_tokens']),
      [4000, 4000],
    );
    assert.deepEqual(await windows(organizationId), { 'agent day': [30.6, 0] });
    const { data } = await listAudit(stack().db, organizationId, { limit: 2 });
    assert.deepEqual(
      data.map(({ action, target, actor }) => [actor, action, target]),
      [
        ['Parley', 'credit_cap_reached', `agent ${agent.name}: 30.6 of 36.3 credits of the day`],
        ['Parley', 'credit_cap_nearing', `agent ${agent.name}: 30.6 of 36.3 credits of the day`],
      ],
    );
    await api.changeAgent(agent.id, { credit_caps: null });
    assert.equal((await ask(agent.id, 'capped')).status, 200);
    assert.equal(model.callsFor('capped').at(-1)?.body['max_tokens'], undefined);
  });

  it('is posted to a webhook as message.error with its code', async () => {
    const { api, receiver } = stack();
    const agent = await api.createAgent({ credit_caps: { month: 1 } });
    const webhook_url = receiver.url('/capped');
    const { conversation_id } = await api.send(agent.id, { message: 'by webhook', webhook_url });
    const [got] = await receiver.waitFor('/capped', 1);
    const callback = JSON.parse(got?.body ?? '') as Callback;
    assert.ok(callback.event === 'message.error');
    assert.deepEqual([callback.code, callback.conversation_id], ['credit_cap_reached', conversation_id]);
    assert.match(callback.error, /^The cap of 1 credits per month on this agent leaves no room/);
  });

  it('lets the agent answer with its own sentence, except in a follow-up', async () => {
    const { api, model } = stack();
    const agent = await api.createAgent({
      credit_caps: { conversation_day: reserved.max },
      cap_message: 'We are closed for today.',
      follow_ups: [{ after_seconds: 1, instructions: 'ask again' }],
    });
    model.answer('within the cap', dear);
    const first = await api.ask(agent.id, { message: 'within the cap' });
    const { conversation_id } = first;
    const second = await api.ask(agent.id, { message: 'over the cap', conversation_id });
    assert.deepEqual(
      [first.response, second.response, second.model, second.credits_used],
      ['dear', 'We are closed for today.', 'none', 0],
    );
    const failed = await until('the follow-up’s end', async () => {
      const where = { conversation_id, mode: 'follow_up', state: 'failed' };
      return await stack().db.knex<{ error_code: string }>('runs').where(where).first();
    });
    assert.equal(failed.error_code, 'credit_cap_reached');
    assert.deepEqual(model.callsFor('over the cap'), []);
  });

  it('of a token, the organization and a contact applies to the calls that it concerns', async () => {
    const { api, model, organizationId, tokenId } = { ...stack(), ...(await stack().stranger()) };
    const agent = await api.createAgent();
    const person = await signIn({ ...stack(), organizationId });
    const set = async (path: string, caps: unknown) => {
      assert.equal((await person.call('PUT', path, { credit_caps: caps })).status, 200);
    };
    const refusedFor = async (contact?: string) => {
      const body = {
        message: 'whose',
        sync: true,
        ...(contact !== undefined && { contact: { id: contact } }),
      };
      const { status, body: said } = await api.call('POST', `/chat/${agent.id}`, { body });
      return status === 200 ? undefined : /on this (\w+)/.exec((said as ErrorBody).error)?.[1];
    };
    model.answer('whose', dear);
    await set('/limit', { contact_month: reserved.max });
    assert.deepEqual(
      [await refusedFor('a'), await refusedFor('a'), await refusedFor('b'), await refusedFor()],
      [undefined, 'contact', undefined, undefined],
    );
    await set(`/tokens/${tokenId}/limit`, { day: 15.3 + reserved.max });
    assert.deepEqual(
      [await refusedFor(), await refusedFor(), await refusedFor()],
      [undefined, undefined, 'token'],
    );
    await set(`/tokens/${tokenId}/limit`, null);
    await set('/limit', { day: 1 });
    assert.equal(await refusedFor(), 'organization');
    await set('/limit', {});
    assert.equal(await refusedFor(), undefined);
  });

  it('counts a call that broke off, or whose provider reports no tokens, at the most that it can cost', async () => {
    const { api, model, organizationId } = { ...stack(), ...(await stack().stranger()) };
    const agent = await api.createAgent({ credit_caps: { day: 1000 } });
    model.answer('cut', { kind: 'cut', text: 'a beginning' }, { kind: 'stream', text: 'whole' });
    model.answer('uncounted', { kind: 'stream', text: 'ok', usage: null });
    model.answer('refused', { kind: 'status', status: 401 });
    const settledBy = async (message: string) => {
      const before = (await windows(organizationId))['agent day']?.[0] ?? 0;
      await api.call('POST', `/chat/${agent.id}`, { body: { message, sync: true } });
      const [settled = 0, open] = (await windows(organizationId))['agent day'] ?? [];
      assert.equal(open, 0);
      return settled - before;
    };
    assert.equal(await settledBy('refused'), 0);
    const uncounted = await settledBy('uncounted');
    assert.ok(uncounted > reserved.min && uncounted < reserved.max, String(uncounted));
    const cut = await settledBy('cut');
    assert.ok(cut > reserved.min && cut < reserved.max + 0.1, String(cut));
  });

  it('counts each call of a scripted model that has a price, at the most that it can cost', async () => {
    const { api, organizationId } = { ...stack(), ...(await stack().stranger()) };
    const scripted = { model: 'scripted/default', script: [{ reply: 'Hello.' }], credit_caps: { day: 2 } };
    const agent = await api.createAgent(scripted);
    const statuses = [];
    for (let count = 0; count < 3; count++) statuses.push((await ask(agent.id, 'hi', {}, api)).status);
    assert.deepEqual(statuses, [200, 200, 402]);
    assert.deepEqual(await windows(organizationId), { 'agent day': [2, 0] });
  });

  it('applies to the model calls of a tool action, whose result then gives the reason', async () => {
    const { api, model, db, organizationId } = { ...stack(), ...(await stack().stranger()) };
    await api.createAgent();
    const person = await signIn({ ...stack(), organizationId });
    const ask = async (prompt: string) => {
      const deps = {
        ...{
          db,
          prices: { default: { input: 3, output: 5 } },
          callLimits: { seconds: 3, outputTokens: 4000 },
        },
        warn: () => undefined,
        models: { find: () => compatibleModel(model.baseUrl) },
      };
      const asker = { organizationId, conversationId: organizationId, runId: null };
      const answer = await plainModel(deps, asker, new AbortController().signal, () => Promise.resolve());
      return await answer?.(prompt);
    };
    model.answer('a tool asks', dear);
    await person.call('PUT', '/limit', { credit_caps: { day: 15.3 + reserved.min } });
    assert.equal(await ask('a tool asks'), 'dear');
    await assert.rejects(ask('a tool asks'), /^ModelUnavailable: The cap of 35\.3 credits per day/);
    assert.deepEqual(await windows(organizationId), { 'organization day': [15.3, 0] });
    assert.equal(model.callsFor('a tool asks').length, 1);
  });

  it('of an agent is part of the agents’ file', async () => {
    const { api, organizationId } = { ...stack(), ...(await stack().stranger()) };
    const person = await signIn({ ...stack(), organizationId });
    const yaml = 'agents:\n  - name: Filed\n    credit_caps: { day: 5 }\n    cap_message: Closed.\n';
    assert.equal((await person.call('PUT', '/agents-file', { yaml })).status, 200);
    const { body } = await person.call('GET', '/agents-file');
    assert.match((body as { yaml: string }).yaml, /credit_caps:\n +day: 5\n +cap_message: Closed\./);
    const { data } = (await api.call('GET', '/agents')).body as { data: Agent[] };
    assert.deepEqual([data[0]?.credit_caps, data[0]?.cap_message], [{ day: 5 }, 'Closed.']);
  });

  /** Reserves 20 credits, as a call of another process would. */
  async function otherCall(organizationId: string, seconds: number): Promise<string> {
    const id = randomUUID();
    const made = await reserveCredits(stack().db, { id, organizationId, runId: null, credits: 20, seconds });
    assert.equal(made.next, 'reserved');
    return id;
  }

  it('lets a call wait for calls in progress, which may cost less than they can', async () => {
    const { api, model, organizationId, temporal } = { ...stack(), ...(await stack().stranger()) };
    const agent = await api.createAgent();
    const person = await signIn({ ...stack(), organizationId });
    await person.call('PUT', '/limit', { credit_caps: { day: 30 } });
    const other = await otherCall(organizationId, 600);
    const { conversation_id } = await api.send(agent.id, { message: 'waits' });
    await until('the refused attempt', async () => {
      const { raw } = await temporal.client.workflow.getHandle(`conversation/${conversation_id}`).describe();
      return raw.pendingActivities?.[0]?.lastFailure?.message?.includes('Calls in progress');
    });
    assert.deepEqual(model.callsFor('waits'), []);
    await settleCredits(stack().db, other, 0.5);
    assert.equal((await api.settled(conversation_id)).at(-1)?.text, 'echo: waits');
    assert.deepEqual(await windows(organizationId), { 'organization day': [0.568, 0] });
  });

  it("reserves for the agent's own time limit of a call", async () => {
    const { api, model, db } = stack();
    model.answer('reserved for long', { kind: 'hang' });
    const agent = await api.createAgent({ credit_caps: { day: 1000 }, model_timeout_seconds: 200 });
    const { conversation_id } = await api.send(agent.id, { message: 'reserved for long' });
    await until('the call', () => Promise.resolve(model.callsFor('reserved for long')[0]));
    const open: { expires_at: Date }[] = await db.knex('credit_reservations').select('expires_at');
    const leftMs = Math.max(...open.map(({ expires_at }) => expires_at.getTime())) - Date.now();
    // The installation's limit is 3 s.
    assert.ok(leftMs > 190_000 && leftMs <= 210_000, String(leftMs));
    await api.call('POST', `/conversations/${conversation_id}/cancel`);
  });

  it('counts the call of a lost worker in full, once its time limit is over', async () => {
    const { api, organizationId } = { ...stack(), ...(await stack().stranger()) };
    const agent = await api.createAgent();
    const person = await signIn({ ...stack(), organizationId });
    await person.call('PUT', '/limit', { credit_caps: { day: 39 } });
    const lost = await otherCall(organizationId, 0);
    const call = async () =>
      await api.call('POST', `/chat/${agent.id}`, { body: { message: 'a', sync: true } });
    assert.equal((await call()).status, 402);
    assert.deepEqual(await windows(organizationId), { 'organization day': [20, 0] });
    assert.equal(await settleCredits(stack().db, lost, 0), false);
    await person.call('PUT', '/limit', { credit_caps: { day: 45 } });
    assert.equal((await call()).status, 200);
    assert.deepEqual(await windows(organizationId), { 'organization day': [20.068, 0] });
  });
});
