/** The limits and the retention of an organization, as the console reads and changes them. */
import assert from 'node:assert/strict';
import type { Expiring } from '../../../src/contract/accounts/organization.ts';
import type { LimitState } from '../../../src/contract/data/usage.ts';
import { signIn } from '../../support/console-person.ts';
import { useSharedStack } from '../../support/stack.ts';
import { until } from '../../support/until.ts';

describe('Limits and retention in the console', () => {
  const stack = useSharedStack();
  const newOrganization = async () => {
    const { api, organizationId } = await stack().stranger();
    return { api, organizationId, ...(await signIn({ ...stack(), organizationId })) };
  };
  const limitsOf = async (id: string) =>
    await stack()
      .db.knex('organizations')
      .where({ id })
      .first<Record<string, number | null>>(
        'monthly_credit_limit',
        'monthly_message_limit',
        'retention_days',
      );

  it('refuses an invalid limit or number of days, names the field, and changes nothing', async () => {
    const { call, organizationId } = await newOrganization();
    const cases: [method: string, path: string, body: Record<string, unknown>][] = [];
    for (const value of [-5, -0.001, '5', '', 1e13, true, []])
      cases.push(['PUT', '/limit', { monthly_credit_limit: value }]);
    for (const value of [-5, -1, 0.5, '0', 2_000_000_001])
      cases.push(['PUT', '/limit', { monthly_message_limit: value }]);
    for (const value of [-5, 0, 0.5, 36_501, '30'])
      cases.push(['PATCH', '/organization', { retention_days: value }]);
    for (const [method, path, body] of cases) {
      const answer = await call(method, path, body);
      const { details } = answer.body as { details?: { path: string }[] };
      assert.deepEqual(
        [answer.status, details?.map((one) => one.path)],
        [422, Object.keys(body)],
        JSON.stringify(body),
      );
    }
    assert.deepEqual(await limitsOf(organizationId), {
      ...{ monthly_credit_limit: null, monthly_message_limit: null, retention_days: null },
    });
  });

  it('counts the conversations of its own organization that a retention would erase, completely and in part', async () => {
    const { call, api, organizationId } = await newOrganization();
    const { db } = stack();
    const other = await newOrganization();
    const count = async (days: number, by = call) =>
      (await by('GET', `/organization/expiring?days=${days}`)).body as Expiring;
    const agent = await api.createAgent({ script: [{ reply: 'ok' }] });
    const old = await api.ask(agent.id, { message: 'old' });
    const goesOn = await api.ask(agent.id, { message: 'old' });
    await api.ask(agent.id, { message: 'new' });
    const ended = (conversation_id: string, days: number) =>
      db
        .knex('runs')
        .where({ conversation_id })
        .update({ finished_at: db.knex.raw('now() - make_interval(days => ?)', [days]) });
    await ended(old.conversation_id, 10);
    await ended(goesOn.conversation_id, 10);
    await api.ask(agent.id, { message: 'new', conversation_id: goesOn.conversation_id });
    assert.deepEqual(await count(3), { whole: 1, part: 1, complete: true });
    assert.deepEqual(await count(11), { whole: 0, part: 0, complete: true });
    assert.deepEqual(await count(3, other.call), { whole: 0, part: 0, complete: true });
    assert.equal((await limitsOf(organizationId))['retention_days'], null);
    for (const days of ['0', '-3', 'x', '36501', ''])
      assert.equal((await call('GET', `/organization/expiring?days=${days}`)).status, 422, days);
  });

  it('counts what an erasure would delete, in its own organization alone', async () => {
    const { call, api } = await newOrganization();
    const other = await newOrganization();
    const agent = await api.createAgent({ script: [{ reply: 'ok' }] });
    const contact = { id: 'a contact/with signs' };
    const attachments = [{ content_base64: 'aGk=' }];
    const { conversation_id } = await api.ask(agent.id, { message: 'a', contact, attachments });
    await api.ask(agent.id, { message: 'b', contact });
    await api.ask(agent.id, { message: 'of somebody else' });
    const size = { conversations: 1, messages: 4, files: 1, deliveries: 0 };
    const nothing = { conversations: 0, messages: 0, files: 0, deliveries: 0 };
    for (const query of [{ conversation_id }, { contact_id: contact.id }]) {
      const path = `/erasure-size?${new URLSearchParams(query).toString()}`;
      assert.deepEqual((await call('GET', path)).body, size);
      assert.deepEqual((await other.call('GET', path)).body, nothing);
    }
    for (const query of ['', 'conversation_id=x', `contact_id=a&conversation_id=${conversation_id}`])
      assert.equal((await call('GET', `/erasure-size?${query}`)).status, 422, query);
  });

  it('shows every member which limit refuses calls, until the limit is raised', async () => {
    const { call, api, organizationId } = await newOrganization();
    const member = await signIn({ ...stack(), organizationId }, []);
    const other = await newOrganization();
    const reached = async (by = member.call) => ((await by('GET', '/limit')).body as LimitState).reached;
    const agent = await api.createAgent({ script: [{ reply: 'ok' }] });
    await api.ask(agent.id, { message: 'a' });
    assert.equal(await reached(), null);
    assert.equal((await call('PUT', '/limit', { monthly_message_limit: 1 })).status, 200);
    await until('the limit to be reached', async () => (await reached()) === 'messages');
    await api.refused(402, 'POST', `/chat/${agent.id}`, { body: { message: 'b' } });
    assert.equal(await reached(other.call), null);
    await call('PUT', '/limit', { monthly_message_limit: 100, monthly_credit_limit: 0 });
    await until('the other to be reached', async () => (await reached()) === 'credits');
    await call('PUT', '/limit', { monthly_credit_limit: null });
    await until('none to be reached', async () => (await reached()) === null);
  });
});
