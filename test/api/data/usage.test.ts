import assert from 'node:assert/strict';
import { listAudit } from '../../../src/adapters/postgres/accounts/audit-log.ts';
import { createToken } from '../../../src/adapters/postgres/accounts/tokens.ts';
import type { ErrorBody } from '../../../src/contract/errors.ts';
import type { Usage } from '../../../src/contract/data/usage.ts';
import { ApiClient } from '../../support/api-client.ts';
import { signIn } from '../../support/console-person.ts';
import { commandPrints } from '../../support/run-command.ts';
import { useSharedStack } from '../../support/stack.ts';
import { until } from '../../support/until.ts';

describe('Usage and limits', () => {
  const stack = useSharedStack();
  const usageOf = async (api: ApiClient, query = ''): Promise<Usage> => {
    const answer = await api.call('GET', `/usage${query}`);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return answer.body as Usage;
  };
  const today = (usage: Usage) => usage.days.at(-1);

  /** Sets the credits that the runs of this conversation have cost. */
  async function cost(conversationId: string, credits: number): Promise<void> {
    await stack().db.pool.query(
      'update run_steps set credits = $2 where run_id in (select id from runs where conversation_id = $1)',
      [conversationId, credits],
    );
  }

  const limit = async (...options: string[]) =>
    await commandPrints(['limit', ...options], { DATABASE_URL: stack().databaseUrl });

  it('counts messages, runs and credits by day and token, including erased ones', async () => {
    const { api, organizationId } = await stack().stranger();
    const made = await createToken(stack().db, { organizationId, name: 'second' });
    const second = new ApiClient(stack().apiUrl, made.token);
    const agent = await api.createAgent({ script: [{ reply: 'ok' }] });
    const first = await api.ask(agent.id, { message: 'a' });
    await cost(first.conversation_id, 1.5);
    const other = await second.ask(agent.id, { message: 'b' });
    await cost(other.conversation_id, 2);
    await second.ask(agent.id, { message: 'c', conversation_id: other.conversation_id });
    await cost(other.conversation_id, 2);
    const before = await usageOf(api);
    assert.equal(before.days.length, 31);
    const day = new Date().toISOString().slice(0, 10);
    assert.deepEqual(today(before), { day, messages: 3, runs: 3, credits: 5.5 });
    assert.deepEqual(
      [before.organization, before.token],
      [
        { limit: null, used: 5.5, message_limit: null, messages: 3 },
        { limit: null, used: 1.5, message_limit: null, messages: 1 },
      ],
    );
    assert.deepEqual(today(await usageOf(second, '?of=token&days=1')), {
      day,
      messages: 2,
      runs: 2,
      credits: 4,
    });
    assert.ok(Date.parse(before.resets_at) > Date.now());

    assert.equal((await api.call('DELETE', `/conversations/${other.conversation_id}`)).status, 204);
    assert.deepEqual(await usageOf(api), before);
    assert.deepEqual(today(await usageOf(second, '?of=token')), { day, messages: 2, runs: 2, credits: 4 });
    const stranger = await stack().stranger();
    assert.deepEqual((await usageOf(stranger.api)).organization, {
      limit: null,
      used: 0,
      message_limit: null,
      messages: 0,
    });
  });

  it('402 once a token’s or the organization’s limit of the month is reached, until it is raised', async () => {
    const { api, organizationId, tokenId } = await stack().stranger();
    const made = await createToken(stack().db, { organizationId, name: 'second' });
    const second = new ApiClient(stack().apiUrl, made.token);
    const agent = await api.createAgent({ script: [{ reply: 'ok' }] });
    const { conversation_id } = await api.ask(agent.id, { message: 'a' });
    await cost(conversation_id, 10);
    const call = async (by: ApiClient) =>
      await by.call('POST', `/chat/${agent.id}`, { body: { message: 'b', conversation_id } });
    const refusedBy = async (by: ApiClient) => (await call(by)).status === 402;

    await limit('--org', organizationId, '--token', tokenId, '--credits', '10');
    await until('the token’s limit', () => refusedBy(api));
    const inputs = async () =>
      (await stack().db.knex('messages').where({ conversation_id, origin: 'user' })).length;
    const before = await inputs();
    const { status, body } = await call(api);
    assert.equal(await inputs(), before);
    assert.deepEqual(
      [status, body],
      [
        402,
        {
          code: 'credit_limit_reached',
          error:
            'The monthly limit of this API token is reached: 10 credits. It starts again on the first day of the next month (UTC).',
        },
      ],
    );
    assert.equal((await call(second)).status, 202);

    const person = await signIn({ ...stack(), organizationId });
    assert.equal((await person.call('PUT', '/limit', { monthly_credit_limit: 5 })).status, 200);
    await until('the organization’s limit', () => refusedBy(second));
    assert.equal((await person.call('PUT', '/limit', { monthly_credit_limit: null })).status, 200);
    assert.equal(
      (await person.call('PUT', `/tokens/${tokenId}/limit`, { monthly_credit_limit: 11 })).status,
      200,
    );
    await until('the raised limits', async () => (await call(api)).status === 202);
    const { token } = await usageOf(api);
    assert.deepEqual([token?.limit, token?.used], [11, 10]);
    const { data } = await listAudit(stack().db, organizationId, { limit: 3 });
    assert.deepEqual(
      data.map(({ action, target }) => `${action} ${target}`),
      [
        'token_limited a token: Credits per month: 10 → 11',
        'organization_changed Credits per month: 5 → no limit',
        'organization_changed Credits per month: no limit → 5',
      ],
    );
    await api.refused(422, 'PATCH', '/organization', { body: { monthly_credit_limit: 1000 } });
  });

  it('402 once the month’s messages of a token or organization are used up, until the limit is raised', async () => {
    const { api, organizationId, tokenId } = await stack().stranger();
    const made = await createToken(stack().db, { organizationId, name: 'second' });
    const second = new ApiClient(stack().apiUrl, made.token);
    const agent = await api.createAgent({ script: [{ reply: 'ok' }] });
    const { conversation_id } = await api.ask(agent.id, { message: 'a' });
    await api.ask(agent.id, { message: 'b', conversation_id });
    // To an agent that does not exist: 404 where the limits let it through.
    const call = async (by: ApiClient) =>
      await by.call('POST', `/chat/${crypto.randomUUID()}`, { body: { message: 'c' } });
    const answers = async (by: ApiClient, status: number) => (await call(by)).status === status;

    await limit('--org', organizationId, '--token', tokenId, '--messages', '2');
    await until('the token’s limit', () => answers(api, 402));
    const { code, error } = (await call(api)).body as ErrorBody;
    assert.equal(code, 'message_limit_reached');
    assert.match(error, /limit of this API token is reached: 2 messages\./);
    assert.ok(await answers(second, 404));

    const person = await signIn({ ...stack(), organizationId });
    assert.equal((await person.call('PUT', '/limit', { monthly_message_limit: 2 })).status, 200);
    await until('the organization’s limit', () => answers(second, 402));
    assert.equal((await person.call('PUT', '/limit', { monthly_message_limit: null })).status, 200);
    const raised = { monthly_message_limit: 1000, monthly_credit_limit: null };
    assert.equal((await person.call('PUT', `/tokens/${tokenId}/limit`, raised)).status, 200);
    await until('the raised limits', () => answers(api, 404));
    const { organization, token } = await usageOf(api);
    assert.deepEqual([token?.messages, token?.message_limit, organization.message_limit], [2, 1000, null]);
    const { data } = await listAudit(stack().db, organizationId, { limit: 1 });
    assert.equal(data[0]?.target, 'a token: Messages per month: 2 → 1000');
    await assert.rejects(limit('--org', organizationId));
    await assert.rejects(limit('--org', organizationId, '--messages', '1.5'));
    await assert.rejects(limit('--org', organizationId, '--credits', '-1'));
  });
});
