/** Changes of a role, and of a member's role, while the member stays signed in. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { changeMemberRole } from '../../../src/adapters/postgres/accounts/change-members.ts';
import type { Capability } from '../../../src/contract/accounts/capabilities.ts';
import type { ConsoleSession } from '../../../src/contract/accounts/session.ts';
import type { Member, Role } from '../../../src/contract/accounts/members.ts';
import { makePerson, signIn, signInAs, type ConsoleCaller } from '../../support/console-person.ts';
import { useSharedStack } from '../../support/stack.ts';
import { until } from '../../support/until.ts';

describe('A member who is signed in while roles change', () => {
  const stack = useSharedStack();
  let admin: ConsoleCaller;

  before(async () => {
    admin = await signIn(stack());
  });

  async function make<T>(path: string, body: unknown): Promise<T> {
    const answer = await admin.call('POST', path, body);
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    return answer.body as T;
  }
  const makeRole = async (...capabilities: Capability[]) =>
    await make<Role>('/roles', { name: `Role ${randomUUID()}`, capabilities });
  const changeRole = async ({ id, name }: Role, ...capabilities: Capability[]) => {
    const { status, body } = await admin.call('PATCH', `/roles/${id}`, { name, capabilities });
    assert.equal(status, 200, JSON.stringify(body));
  };
  const giveRole = async ({ id }: Member, role: Role) => {
    const { status, body } = await admin.call('PATCH', `/members/${id}`, { role_id: role.id });
    assert.equal(status, 200, JSON.stringify(body));
  };
  /** Works as an administrator, signed in, before they get the role. */
  async function memberWith(role: Role): Promise<{ member: Member; caller: ConsoleCaller }> {
    const person = await makePerson(stack());
    const { data } = (await admin.call('GET', '/members')).body as { data: Member[] };
    const member = data.find(({ email }) => email === person.email) ?? assert.fail(person.email);
    const caller = await signInAs(stack(), person);
    await assertStatuses(caller, { '/members': 200, '/tokens': 200, '/audit': 200 });
    await giveRole(member, role);
    return { member, caller };
  }
  async function assertStatuses({ call }: ConsoleCaller, expected: Record<string, number>): Promise<void> {
    const found = await Promise.all(
      Object.keys(expected).map(async (path) => [path, (await call('GET', path)).status] as const),
    );
    assert.deepEqual(Object.fromEntries(found), expected);
  }

  it('an edited role opens and closes operations at the next call, in every session', async () => {
    const role = await makeRole('tokens.view', 'deliveries.view');
    const [one, other] = [await memberWith(role), await memberWith(role)];
    const before = { '/tokens': 200, '/deliveries': 200, '/audit': 403 };
    for (const { caller } of [one, other]) await assertStatuses(caller, before);
    await changeRole(role, 'deliveries.view', 'audit.view');
    const after = { '/tokens': 403, '/deliveries': 200, '/audit': 200 };
    for (const { caller } of [one, other]) await assertStatuses(caller, after);
    const { session } = (await one.caller.call('GET', '/session')).body as { session: ConsoleSession };
    assert.deepEqual(session.capabilities.toSorted(), ['audit.view', 'deliveries.view']);
  });

  it('another role for one member leaves the others as they are', async () => {
    const [reads, audits] = [await makeRole('tokens.view'), await makeRole('audit.view')];
    const [moved, stays] = [await memberWith(reads), await memberWith(reads)];
    await giveRole(moved.member, audits);
    await assertStatuses(moved.caller, { '/tokens': 403, '/audit': 200 });
    await assertStatuses(stays.caller, { '/tokens': 200, '/audit': 403 });
  });

  it('a role that is given while it is deleted stays, because a member has it', async () => {
    const [before, given] = [await makeRole('tokens.view'), await makeRole('audit.view')];
    const { member, caller } = await memberWith(before);
    const lock = await stack().db.pool.connect();
    const waiting = async (query: string) => {
      await until(`a statement on ${query} to wait`, async () => {
        const { rows } = await stack().db.pool.query(
          "select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like $1",
          [`%"${query}"%`],
        );
        return rows.length > 0;
      });
    };
    try {
      // Holds the change of the member's role after the role was looked up.
      await lock.query('begin');
      await lock.query('select from console_members where id = $1 for update', [member.id]);
      const giving = admin.call('PATCH', `/members/${member.id}`, { role_id: given.id });
      await waiting('console_members');
      const deleting = admin.call('DELETE', `/roles/${given.id}`);
      await Promise.race([deleting, waiting('console_roles')]);
      await lock.query('commit');
      assert.deepEqual([(await giving).status, (await deleting).status], [200, 409]);
    } finally {
      lock.release(true);
    }
    await assertStatuses(caller, { '/tokens': 403, '/audit': 200 });
  });

  it('a role that was just deleted is given to nobody', async () => {
    const [before, gone] = [await makeRole('tokens.view'), await makeRole('audit.view')];
    const { member } = await memberWith(before);
    assert.equal((await admin.call('DELETE', `/roles/${gone.id}`)).status, 204);
    const { organizationId, db } = stack();
    await assert.rejects(changeMemberRole(db, organizationId, member.id, gone.id), { code: 'invalid_state' });
  });

  it('a member who loses members.manage can neither take it back nor give it', async () => {
    const role = await makeRole('members.manage', 'tokens.view');
    const spare = await makeRole('tokens.view');
    const { member, caller } = await memberWith(role);
    assert.equal((await caller.call('GET', '/members')).status, 200);
    await changeRole(role, 'tokens.view');
    for (const [method, path, body] of [
      ['GET', '/members', undefined],
      ['PATCH', `/roles/${role.id}`, { name: role.name, capabilities: ['members.manage'] }],
      ['PATCH', `/members/${member.id}`, { role_id: spare.id }],
      ['POST', '/roles', { name: randomUUID(), capabilities: ['members.manage'] }],
      ['POST', '/invitations', { email: `${randomUUID()}@example.com`, role_id: spare.id }],
    ] as const) {
      assert.equal((await caller.call(method, path, body)).status, 403, `${method} ${path}`);
    }
  });

  it('a member who manages members adds no capability to a role that they do not have', async () => {
    const role = await makeRole('members.manage', 'tokens.view');
    const { member, caller } = await memberWith(role);
    const more = { name: role.name, capabilities: ['members.manage', 'tokens.view', 'audit.view'] };
    assert.equal((await caller.call('PATCH', `/roles/${role.id}`, more)).status, 403);
    const audits = await makeRole('audit.view');
    assert.equal((await caller.call('PATCH', `/members/${member.id}`, { role_id: audits.id })).status, 403);
    await assertStatuses(caller, { '/audit': 403 });
  });

  it('a removed member is signed out, and their role can then be deleted', async () => {
    const role = await makeRole('tokens.view');
    const { member, caller } = await memberWith(role);
    assert.equal((await admin.call('DELETE', `/roles/${role.id}`)).status, 409);
    assert.equal((await admin.call('DELETE', `/members/${member.id}`)).status, 204);
    await assertStatuses(caller, { '/tokens': 401, '/agents': 401 });
    assert.equal((await admin.call('DELETE', `/roles/${role.id}`)).status, 204);
  });
});
