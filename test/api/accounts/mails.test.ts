/**
 * Invitations and resets by a real SMTP server: who gets what, what a tenant can write into them, and when none is
 * sent.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import type { CreatedInvitation } from '../../../src/contract/accounts/invitations.ts';
import type { Member } from '../../../src/contract/accounts/members.ts';
import type { PasswordReset } from '../../../src/contract/accounts/password-reset.ts';
import { freePort } from '../../../src/local/ports.ts';
import { ApiClient } from '../../support/api-client.ts';
import { makePerson, signIn, signInAs, type ConsoleCaller } from '../../support/console-person.ts';
import { startMailServer, type MailServer } from '../../support/mail-server.ts';
import { startOwnProcess } from '../../support/own-process.ts';
import { useStack } from '../../support/stack.ts';

const sender = 'parley@mail.example';
const password = 'a long password';
const someone = () => `${randomUUID()}@example.com`;

describe('Mails of the console', () => {
  let server: MailServer;
  const stack = useStack(async () => {
    server = await startMailServer({ name: 'parley', password: 'p@ss:word/' });
    return { workers: 0, env: { SMTP_URL: server.url, SMTP_FROM: sender, ORGANIZATION_RATE_LIMIT: 'off' } };
  });
  after(async () => {
    await server.close();
  });

  const anyone = async (path: string, body: unknown) =>
    await new ApiClient(new URL('/console/api', stack().apiUrl).href, '').call('POST', path, {
      token: null,
      body,
    });
  const invite = async ({ call }: ConsoleCaller, email: string) =>
    await call('POST', '/invitations', { email, role_id: 'admin' });
  const mailTo = (email: string) =>
    server.mails.findLast(({ to }) => to === email) ?? assert.fail(`no mail to ${email}`);
  const secretIn = (text: string, page: string) =>
    new RegExp(`${new URL(stack().apiUrl).origin}/${page}#(\\S+)`).exec(text)?.[1] ?? assert.fail(text);
  const reset = async (caller: ConsoleCaller, { email }: { email: string }) => {
    const { data } = (await caller.call('GET', '/members')).body as { data: Member[] };
    return await caller.call('POST', `/members/${data.find((one) => one.email === email)?.id}/reset`);
  };

  it('an invitation that is sent again replaces the one before, also an expired one', async () => {
    const inviter = await signIn(stack());
    const email = someone();
    const first = (await invite(inviter, email)).body as CreatedInvitation;
    await stack()
      .db.knex('console_invitations')
      .where({ id: first.id })
      .update({ expires_at: new Date(Date.now() - 1000) });
    const { role_id } = first;
    const again = (await inviter.call('POST', '/invitations', { email, role_id })).body as CreatedInvitation;
    const { data } = (await inviter.call('GET', '/invitations')).body as { data: CreatedInvitation[] };
    const open = data.filter((one) => one.email === email);
    assert.deepEqual(
      open.map(({ id, expired }) => [id, expired]),
      [[again.id, false]],
    );
  });

  it('an invitation goes to the invited email alone, and its link works', async () => {
    const inviter = await signIn(stack());
    const email = someone();
    const answer = await invite(inviter, email);
    const { link, mail } = answer.body as CreatedInvitation;
    assert.deepEqual([answer.status, link, mail], [201, null, 'sent']);
    const received = mailTo(email);
    assert.equal(received.from, sender);
    const secret = secretIn(received.text, 'invitation');
    assert.ok(!JSON.stringify(answer.body).includes(secret));
    assert.equal((await anyone('/invitation/accept', { token: secret, password })).status, 204);
    assert.ok((await signInAs(stack(), { email, password })).cookies !== '');
  });

  it('a reset goes to the member alone, also to one of other organizations, and its link works', async () => {
    const administrator = await signIn(stack());
    const person = await makePerson(stack());
    const other = await stack().stranger();
    await invite(await signIn({ ...stack(), ...other }), person.email);
    const token = secretIn(mailTo(person.email).text, 'invitation');
    assert.equal((await anyone('/invitation/accept', { token, password: person.password })).status, 204);
    const answer = await reset(administrator, person);
    const { link, mail } = answer.body as PasswordReset;
    assert.deepEqual([answer.status, link, mail], [201, null, 'sent']);
    const secret = secretIn(mailTo(person.email).text, 'reset');
    assert.equal((await anyone('/password-reset/use', { token: secret, password })).status, 204);
    assert.ok((await signInAs(stack(), { email: person.email, password })).cookies !== '');
  });

  it('holds nothing that a tenant chooses: not the names of organization, role and inviter', async () => {
    const { db } = stack();
    const { organizationId } = await stack().stranger();
    const planted = 'Your account is locked: https://evil.example';
    await db.knex('organizations').where({ id: organizationId }).update({ name: planted });
    const inviter = await signIn({ ...stack(), organizationId });
    await db.knex('console_users').update({ name: planted });
    const role = await inviter.call('POST', '/roles', { name: 'evil.example', capabilities: [] });
    const email = someone();
    const { id } = role.body as { id: string };
    assert.equal((await inviter.call('POST', '/invitations', { email, role_id: id })).status, 201);
    const { raw, text } = mailTo(email);
    for (const part of [raw, text]) assert.doesNotMatch(part, /evil|locked/);
    assert.match(raw, /^To: \S+@example\.com\r$/m);
  });

  it('reports that the mail server has refused a mail; the invitation can be made again', async () => {
    const inviter = await signIn(stack());
    const email = someone();
    server.refused.add(email);
    const answer = await invite(inviter, email);
    const { link, mail } = answer.body as CreatedInvitation;
    assert.deepEqual([answer.status, link, mail], [201, null, 'failed']);
    server.refused.delete(email);
    assert.equal(((await invite(inviter, email)).body as CreatedInvitation).mail, 'sent');
  });

  it('sends an email five mails of an organization a day, which leaves other organizations theirs', async () => {
    const email = someone();
    const inviter = await signIn(stack());
    for (let sent = 1; sent <= 5; sent += 1) assert.equal((await invite(inviter, email)).status, 201);
    const refused = await invite(inviter, email.toUpperCase());
    assert.equal(refused.status, 429);
    assert.ok(Number(refused.headers.get('retry-after')) > 0);
    assert.equal(server.mails.filter(({ to }) => to === email).length, 5);
    const { organizationId } = await stack().stranger();
    assert.equal((await invite(await signIn({ ...stack(), organizationId }), email)).status, 201);
    const { rows } = await stack().db.pool.query<{ row: string }>('select t::text as row from rate_limits t');
    assert.ok(!rows.some(({ row }) => row.includes(email)), 'a counter holds the email');
  });

  it('counts a mail that the server refuses, so that nobody tries out emails without a limit', async () => {
    const inviter = await signIn(stack());
    const email = someone();
    server.refused.add(email);
    for (let sent = 1; sent <= 5; sent += 1) assert.equal((await invite(inviter, email)).status, 201);
    assert.equal((await invite(inviter, email)).status, 429);
  });

  it('does not count a mail while the server is away', async () => {
    const port = await freePort();
    const api = await startOwnProcess(
      'api',
      { ...stack().env, PORT: String(port), SMTP_URL: `smtp://127.0.0.1:${await freePort()}` },
      join(tmpdir(), `parley-mails-api-${port}.log`),
    );
    const inviter = await signIn({ ...stack(), apiUrl: `http://127.0.0.1:${port}/v1` });
    const email = someone();
    for (let failed = 1; failed <= 7; failed += 1) {
      const answer = await invite(inviter, email);
      assert.deepEqual([answer.status, (answer.body as CreatedInvitation).mail], [201, 'failed']);
    }
    await api.kill();
    // At the other process too, whose server is there.
    const there = await signIn(stack());
    for (let sent = 1; sent <= 5; sent += 1) assert.equal((await invite(there, email)).status, 201);
    assert.equal((await invite(there, email)).status, 429);
  });

  it('answers in bounded time if the mail server is silent or away', async () => {
    const silent = createServer();
    await new Promise<void>((resolve) => {
      silent.listen(0, '127.0.0.1', resolve);
    });
    const { port: silentPort } = silent.address() as AddressInfo;
    for (const mailPort of [silentPort, await freePort()]) {
      const port = await freePort();
      const api = await startOwnProcess(
        'api',
        { ...stack().env, PORT: String(port), SMTP_URL: `smtp://127.0.0.1:${mailPort}` },
        join(tmpdir(), `parley-mails-api-${port}.log`),
      );
      const inviter = await signIn({ ...stack(), apiUrl: `http://127.0.0.1:${port}/v1` });
      const answer = await invite(inviter, someone());
      assert.deepEqual([answer.status, (answer.body as CreatedInvitation).mail], [201, 'failed']);
      await api.kill();
    }
    silent.close();
  });
});
