import assert from 'node:assert/strict';
import { listAudit } from '../../../src/adapters/postgres/accounts/audit-log.ts';
import { ageRuns } from '../../support/age-runs.ts';
import { useSharedStack } from '../../support/stack.ts';
import { tablesWith, workflowsWith } from '../../support/traces-of-text.ts';
import { until } from '../../support/until.ts';

describe('Retention', () => {
  const stack = useSharedStack();

  const age = (conversationId: string, days: number) => ageRuns(stack().db, conversationId, days);

  it('erases what is older than the retention, and keeps younger messages of the same conversation', async () => {
    const { db, stranger } = stack();
    const { api, organizationId } = await stranger();
    const other = await stranger();
    const script = [{ when: '(?s)^(.*)$', reply: 'You wrote: $1' }];
    const agent = await api.createAgent({ script });
    const word = (what: string) => `zq${what}${crypto.randomUUID().slice(0, 8)}`;
    const [gone, early, late, file] = ['gone', 'early', 'late', 'file'].map(word) as [
      string,
      string,
      string,
      string,
    ];
    const attachments = [{ content_base64: Buffer.from(file).toString('base64'), filename: `${file}.txt` }];
    const ask = async (message: string, contact: string, more: object = {}) =>
      await api.ask(agent.id, { message, contact: { id: contact }, ...more });
    const old = await ask(gone, `contact ${gone}`, { attachments });
    const mixed = await ask(early, 'goes on', { attachments });
    for (const { conversation_id } of [old, mixed]) await age(conversation_id, 31);
    await ask(late, 'goes on');
    const theirs = await other.api.ask((await other.api.createAgent({ script })).id, { message: 'a' });
    await age(theirs.conversation_id, 400);
    assert.deepEqual((await api.call('GET', '/organization')).body, {
      ...{ id: organizationId, name: 'an organization', retention_days: null },
      audit_retention_days: 365,
      created_at: (
        await db.knex<{ id: string; created_at: Date }>('organizations').where({ id: organizationId })
      )[0]!.created_at.toISOString(),
    });

    const changed = await api.call('PATCH', '/organization', { body: { retention_days: 30 } });
    assert.equal((changed.body as { retention_days: number }).retention_days, 30);
    const words = [gone, early, file];
    await until('the old texts to be gone', async () => (await tablesWith(stack(), words)).length === 0);
    await api.refused(404, 'GET', `/conversations/${old.conversation_id}`);
    const left = await api.messages(mixed.conversation_id);
    assert.deepEqual(
      left.map(({ text }) => text),
      [late, `You wrote: ${late}`],
    );
    assert.equal((await ask('again', 'goes on')).conversation_id, mixed.conversation_id);
    assert.equal((await other.api.messages(theirs.conversation_id)).length, 2);
    await until('its histories to be gone', async () => {
      const { all } = await workflowsWith(stack(), `ConversationId = '${old.conversation_id}'`, []);
      return all.length === 0;
    });
    const { data } = await listAudit(db, organizationId, { limit: 5, action: 'organization_changed' });
    assert.deepEqual(
      data.map(({ target }) => target),
      ['Days to keep: all → 30'],
    );
  });

  it('is a number of days, or null for no erasure; anything else is refused', async () => {
    const { api } = await stack().stranger();
    for (const retention_days of [0, 1.5, -1, 'a month', 40_000]) {
      const { details } = await api.refused(422, 'PATCH', '/organization', { body: { retention_days } });
      assert.equal(details?.[0]?.path, 'retention_days');
    }
    await api.call('PATCH', '/organization', { body: { retention_days: 7 } });
    const same = await api.call('PATCH', '/organization', { body: {} });
    assert.equal((same.body as { retention_days: number }).retention_days, 7);
    const forever = await api.call('PATCH', '/organization', { body: { retention_days: null } });
    assert.equal((forever.body as { retention_days: null }).retention_days, null);
  });
});
