/** Emails about conversations that wait for a person, by a real SMTP server. */
import assert from 'node:assert/strict';
import type { Account } from '../../../src/contract/accounts/second-factor.ts';
import type { Capability } from '../../../src/contract/accounts/capabilities.ts';
import { makePerson, signInAs } from '../../support/console-person.ts';
import { startMailServer, type MailServer } from '../../support/mail-server.ts';
import { useStack } from '../../support/stack.ts';
import { until } from '../../support/until.ts';

describe('Emails about conversations that wait for a person', () => {
  let server: MailServer;
  const stack = useStack(async () => {
    server = await startMailServer({ name: 'parley', password: 'p' });
    const env = { SMTP_URL: server.url, SMTP_FROM: 'parley@mail.example', ORGANIZATION_RATE_LIMIT: 'off' };
    return { workers: 0, env };
  });
  after(async () => {
    await server.close();
  });

  async function organization() {
    const own = { ...stack(), ...(await stack().stranger()) };
    const agent = await own.api.createAgent({ name: 'A secret name', script: [{ reply: 'ok' }] });
    return {
      ...own,
      agentId: agent.id,
      /** A member, who wants the emails if `wanted`. */
      member: async (wanted: boolean, capabilities?: readonly Capability[]) => {
        const person = await makePerson(own, capabilities);
        const { call } = await signInAs(own, person);
        const choose = async (mails_waiting: boolean) =>
          await call('PUT', '/waiting-mails', { mails_waiting });
        if (wanted) assert.equal((await choose(true)).status, 204);
        return { ...person, call, choose };
      },
      /** A conversation whose message nobody answers, because the agent was paused before its run. */
      begin: async () => {
        const { conversation_id: id } = await own.api.send(agent.id, { message: 'a secret message' });
        const paused = await own.api.call('POST', `/conversations/${id}/pause`, { body: {} });
        assert.equal(paused.status, 200);
        return id;
      },
    };
  }
  const mailsTo = ({ email }: { email: string }) => server.mails.filter(({ to }) => to === email);
  const received = (who: { email: string }, count: number) =>
    until(`${count} mails`, () => mailsTo(who).length >= count);

  it('go once for each wait to the members who want them, with a link and no text of the conversation', async () => {
    const { member, begin, api, agentId } = await organization();
    const [ana, ben] = [await member(true), await member(false)];
    const viewer = await member(true, ['conversations.view']);
    const id = await begin();
    await received(ana, 1);
    await received(viewer, 1);
    assert.match(
      mailsTo(ana)[0]?.text ?? '',
      new RegExp(`${new URL(stack().apiUrl).origin}/conversations/${id}`),
    );
    assert.doesNotMatch(mailsTo(ana)[0]?.raw ?? '', /secret/);
    await api.send(agentId, { conversation_id: id, message: 'more' });
    const { body } = await ana.call('GET', '/account');
    assert.equal((body as Account).mails_waiting, true);
    await ana.choose(false);
    // The next wait is mailed after what the second message would have caused.
    await begin();
    await received(viewer, 2);
    assert.deepEqual([mailsTo(ana).length, mailsTo(ben).length, mailsTo(viewer).length], [1, 0, 2]);
  });

  it('are at most ten an hour for a member', async () => {
    const { member, begin } = await organization();
    const ana = await member(true);
    for (let wait = 0; wait < 11; wait += 1) await begin();
    await received(ana, 10);
    const ben = await member(true);
    await begin();
    await received(ben, 1);
    // Emails of an organization are sent one after the other, so all of the first waits are over now.
    await begin();
    await received(ben, 2);
    assert.equal(mailsTo(ana).length, 10);
  });

  it('cannot be chosen by a member who may not view conversations', async () => {
    const { member } = await organization();
    const { choose } = await member(false, ['agents.manage']);
    assert.equal((await choose(true)).status, 403);
  });
});
