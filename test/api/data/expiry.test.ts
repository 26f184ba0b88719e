/** Lifetimes of 12 hours, a day, seven and thirty days are exact: rows are aged, so that no test waits. */
import assert from 'node:assert/strict';
import { cleanUps, deleteBatch } from '../../../src/adapters/postgres/data/clean-ups.ts';
import { signIn, signInAs, makePerson, type ConsoleCaller } from '../../support/console-person.ts';
import { useSharedStack } from '../../support/stack.ts';

const hour = 3_600_000;
const day = 24 * hour;
/** Between the change of a row and the look at it. */
const slack = 60_000;

describe('Expiry', () => {
  const stack = useSharedStack();

  /** Makes a row that much older. */
  async function age(
    table: string,
    column: string,
    ms: number,
    where: Record<string, unknown>,
  ): Promise<void> {
    const { knex } = stack().db;
    const older = knex.raw(`?? - ? * interval '1 millisecond'`, [column, ms]);
    assert.equal(
      await knex(table)
        .where(where)
        .update({ [column]: older }),
      1,
      table,
    );
  }
  async function lasts(table: string, where: Record<string, unknown>): Promise<number> {
    const [row] = await stack().db.knex<{ expires_at: Date }>(table).where(where).select('expires_at');
    assert.ok(row, table);
    return row.expires_at.getTime() - Date.now();
  }
  const about = (found: number, expected: number) => {
    assert.ok(Math.abs(found - expected) < slack, `${found / hour} hours, not ${expected / hour}`);
  };
  const isIn = async (caller: ConsoleCaller) => (await caller.call('GET', '/agents')).status === 200;
  const userId = async (email: string) =>
    (await stack().db.knex<{ id: string; email: string }>('console_users').where({ email }))[0]?.id;

  it('an Idempotency-Key returns its response for 24 hours; after that the message is a new one', async () => {
    const { api, tokenId } = stack();
    const agent = await api.createAgent({ script: [{ reply: 'ok' }] });
    const send = async () => await api.send(agent.id, { message: 'a' }, { 'idempotency-key': 'aged' });
    const first = await send();
    const row = { token_id: tokenId, key: 'aged' };
    await age('idempotency_keys', 'created_at', day - slack, row);
    assert.deepEqual(await send(), first);
    await age('idempotency_keys', 'created_at', 2 * slack, row);
    const keys = cleanUps.find(({ table }) => table === 'idempotency_keys');
    assert.ok(keys);
    await deleteBatch(stack().db, keys, 1000);
    assert.notEqual((await send()).conversation_id, first.conversation_id);
  });

  it('a session that is used ends after seven days', async () => {
    const person = await makePerson(stack());
    const caller = await signInAs(stack(), person);
    const row = { user_id: await userId(person.email) };
    await age('console_sessions', 'created_at', 7 * day - slack, row);
    assert.ok(await isIn(caller));
    await age('console_sessions', 'created_at', 2 * slack, row);
    assert.equal(await isIn(caller), false);
  });

  it('a session that is not used ends after 12 hours', async () => {
    const person = await makePerson(stack());
    const caller = await signInAs(stack(), person);
    const row = { user_id: await userId(person.email) };
    about(await lasts('console_sessions', row), 12 * hour);
    await age('console_sessions', 'expires_at', 12 * hour + slack, row);
    assert.equal(await isIn(caller), false);
  });

  it('an invitation can be accepted for seven days', async () => {
    const caller = await signIn(stack());
    const email = `${crypto.randomUUID()}@example.com`;
    const invited = await caller.call('POST', '/invitations', { email, role_id: 'admin' });
    assert.equal(invited.status, 201, JSON.stringify(invited.body));
    about(await lasts('console_invitations', { email }), 7 * day);
    const token = new URL((invited.body as { link: string }).link).hash.slice(1);
    const look = async () => (await caller.call('POST', '/invitation', { token })).status;
    await age('console_invitations', 'expires_at', 7 * day - slack, { email });
    assert.equal(await look(), 200);
    await age('console_invitations', 'expires_at', 2 * slack, { email });
    assert.equal(await look(), 404);
  });

  it('a link for a new password can be used for 24 hours', async () => {
    const caller = await signIn(stack());
    const person = await makePerson(stack());
    const members = (await caller.call('GET', '/members')).body as { data: { id: string; email: string }[] };
    const member = members.data.find(({ email }) => email === person.email)?.id ?? '';
    const made = await caller.call('POST', `/members/${member}/reset`, {});
    assert.equal(made.status, 201, JSON.stringify(made.body));
    const row = { identifier: `password-reset:${await userId(person.email)}` };
    about(await lasts('console_verifications', row), day);
    const token = new URL((made.body as { link: string }).link).hash.slice(1);
    const look = async () => (await caller.call('POST', '/password-reset', { token })).status;
    await age('console_verifications', 'expires_at', day - slack, row);
    assert.equal(await look(), 200);
    await age('console_verifications', 'expires_at', 2 * slack, row);
    assert.equal(await look(), 404);
  });
});
