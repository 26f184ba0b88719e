/** The alert and the email that are written when a conversation begins to wait for a person, once for each wait. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { takeWaitingMails } from '../../../src/adapters/postgres/accounts/waiting-mails.ts';
import { findWaiting } from '../../../src/adapters/postgres/conversations/waiting.ts';
import { markDone } from '../../../src/adapters/postgres/conversations/inbox-state.ts';
import { pauseConversation, writeAsPerson } from '../../../src/adapters/postgres/conversations/pauses.ts';
import { withdrawWaitingAlerts } from '../../../src/adapters/postgres/conversations/webhook-endpoints.ts';
import { findPendingAlerts } from '../../../src/adapters/postgres/whatsapp/alerts.ts';
import { conversationWaiting } from '../../../src/contract/whatsapp/channel-alert.ts';
import { conversationIn, openChannelGround, type ChannelGround } from '../../support/channel-ground.ts';

describe('A conversation that begins to wait for a person', () => {
  let ground: ChannelGround;
  let phones = 5_511_888_880_000;
  const person = { by: 'console', name: 'Ana' } as const;
  before(async () => {
    ground = await openChannelGround();
  });
  after(() => ground.close());

  const alerting = async () => {
    const id = await ground.newAgent();
    await ground.rows(`update channels set alert_url = 'https://alerts.example/' where agent_id = $1`, id);
    return id;
  };
  const alertsOf = async (agentId: string) =>
    (
      await ground.rows<{ id: string; request_body: string }>(
        `select id, request_body from deliveries where agent_id = $1 and event = 'conversation.waiting' order by id`,
        agentId,
      )
    ).map(({ request_body }) => conversationWaiting.strict().parse(JSON.parse(request_body)));
  const member = async (role: string) => {
    const [user] = await ground.rows<{ id: string }>(
      `insert into console_users (name, email) values ('A member', $1) returning id`,
      `${randomUUID()}@example.com`,
    );
    const id = user?.id ?? assert.fail();
    await ground.rows(
      `insert into console_members (organization_id, user_id, role, mails_waiting) values ($1, $2, $3, true)`,
      ...[ground.organizationId, id, role],
    );
    return id;
  };

  it('writes one alert for each wait, not for each message, and none without an alert_url', async () => {
    const agentId = await alerting();
    const phone = String((phones += 1));
    const write = async () => conversationIn(await ground.write(agentId, { phone }));
    const id = await write();
    assert.deepEqual(await alertsOf(agentId), []);
    await pauseConversation(ground.db, id, 5, person);
    await write();
    const [first, ...more] = await alertsOf(agentId);
    assert.deepEqual(
      [first?.conversation_id, first?.agent_id, first?.channel, first?.reason, more],
      [id, agentId, 'whatsapp', 'message', []],
    );
    await writeAsPerson(ground.db, id, { text: 'hi', attachments: [] }, person);
    await write();
    assert.equal((await alertsOf(agentId)).length, 2);
    await markDone(ground.db, id, 'Ana');
    await write();
    assert.equal((await alertsOf(agentId)).length, 3);

    const silent = await ground.newAgent();
    const other = conversationIn(await ground.write(silent, { phone }));
    await pauseConversation(ground.db, other, 5, person);
    assert.deepEqual(await alertsOf(silent), []);
    const { count, newest } = await findWaiting(ground.db, {
      organizationId: ground.organizationId,
      userId: randomUUID(),
    });
    assert.equal(count, 2);
    assert.deepEqual(new Set(newest.map((one) => one.id)), new Set([id, other]));
  });

  it('is announced to the endpoints that want it, if no alert_url gets it: of an agent without a channel too', async () => {
    const url = (name: string) => `https://hooks.example/${name}/${ground.organizationId}`;
    const endpoint = async (name: string, isOn: boolean, organization = ground.organizationId) =>
      await ground.rows(
        `insert into webhook_endpoints (id, organization_id, url, waiting_alerts) values (gen_random_uuid(), $1, $2, $3)`,
        ...[organization, url(name), isOn],
      );
    const [other] = await ground.rows<{ id: string }>(
      `insert into organizations (id, name) values (gen_random_uuid(), 'other') returning id`,
    );
    await endpoint('waits', true);
    await endpoint('callbacks alone', false);
    await endpoint('of another', true, other?.id);
    const begin = async (target: string, channel: string) => {
      const [row] = await ground.rows<{ id: string }>(
        `insert into conversations (id, organization_id, target_id, agent_id, channel) values (gen_random_uuid(), $1, $2, $2, $3) returning id`,
        ...[ground.organizationId, target, channel],
      );
      const id = row?.id ?? assert.fail();
      // Twice within the same wait.
      for (const handedOver of [true, false])
        await ground.rows(
          `update conversations set waiting_since = coalesce(waiting_since, now()), waiting_handed_over = $2 where id = $1`,
          ...[id, handedOver],
        );
      return id;
    };
    const urlsOf = async (agentId: string) =>
      (
        await ground.rows<{ url: string }>(
          `select url from deliveries where of_agent_id = $1 and event = 'conversation.waiting'`,
          agentId,
        )
      ).map((row) => row.url);
    const without = await ground.newAgent();
    await ground.rows(`delete from channels where agent_id = $1`, without);
    const id = await begin(without, 'api');
    assert.deepEqual(await urlsOf(without), [url('waits')]);
    const [alert] = await alertsOf(without);
    assert.deepEqual([alert?.conversation_id, alert?.channel], [id, 'api']);
    assert.equal((await findPendingAlerts(ground.db, 1000)).length > 0, true);
    // A channel's own address comes first; a channel without one is as no channel.
    const own = await alerting();
    await begin(own, 'whatsapp');
    assert.deepEqual(await urlsOf(own), ['https://alerts.example/']);
    const quiet = await ground.newAgent();
    await begin(quiet, 'whatsapp');
    assert.deepEqual(await urlsOf(quiet), [url('waits')]);
    await endpoint('waits too', true);
    await begin(quiet, 'whatsapp');
    assert.deepEqual((await urlsOf(quiet)).sort(), [url('waits'), url('waits'), url('waits too')].sort());
    // No more than 100 of an agent, whichever address they have.
    await ground.rows(
      `insert into conversations (id, organization_id, target_id, agent_id, channel, waiting_since)
         select gen_random_uuid(), $1, $2, $2, 'api', null from generate_series(1, 120)`,
      ...[ground.organizationId, without],
    );
    await ground.rows(
      `update conversations set waiting_since = now() where agent_id = $1 and waiting_since is null`,
      without,
    );
    const count = (await urlsOf(without)).length;
    assert.ok(count >= 100 && count <= 102, String(count));
    // Withdraws the alerts to an endpoint, but none to the alert_url of a channel, even if both have the same URL.
    await ground.rows(`update channels set alert_url = $2 where agent_id = $1`, own, url('waits'));
    await ground.rows(`update deliveries set url = $2 where of_agent_id = $1`, own, url('waits'));
    await withdrawWaitingAlerts(ground.db, ground.organizationId, url('waits'));
    assert.deepEqual(await urlsOf(quiet), [url('waits too')]);
    assert.deepEqual(await urlsOf(own), [url('waits')]);
    await ground.rows(`delete from webhook_endpoints`);
    await ground.rows(`delete from deliveries where event = 'conversation.waiting'`);
    await ground.rows(`update conversations set waiting_since = null`);
  });

  it('leaves at most 100 alerts of an agent and 100 emails of an organization to be sent', async () => {
    const agentId = await alerting();
    const id = conversationIn(await ground.write(agentId, { phone: String((phones += 1)) }));
    await member('admin');
    await ground.rows(
      `insert into conversations (id, organization_id, target_id, agent_id, channel)
         select gen_random_uuid(), organization_id, target_id, agent_id, channel from conversations, generate_series(1, 102) where id = $1`,
      id,
    );
    await ground.rows(`update conversations set waiting_since = now() where agent_id = $1`, agentId);
    assert.equal((await alertsOf(agentId)).length, 100);
    // Round-robin over the organizations: the alert of another one is among the first.
    const other = await openOther();
    assert.ok((await findPendingAlerts(ground.db, 2)).includes(other));
    assert.equal((await takeWaitingMails(ground.db, ground.organizationId)).length, 100);
    assert.deepEqual(await takeWaitingMails(ground.db, ground.organizationId), []);
    await ground.rows(`delete from console_members`);
  });

  /** @returns the id of a pending alert of another organization, newer than all others */
  async function openOther(): Promise<string> {
    const [organization, agent, id] = [randomUUID(), randomUUID(), randomUUID()];
    await ground.rows(`insert into organizations (id, name) values ($1, 'other')`, organization);
    await ground.rows(
      `insert into agents (id, organization_id, name, inbox_id) values ($1, $2, 'other', gen_random_uuid())`,
      ...[agent, organization],
    );
    await ground.rows(
      `insert into deliveries (id, organization_id, agent_id, of_agent_id, event, kind, url, request_body, created_at)
         values ($1, $2, $3, $3, 'channel.timelocked', 'alert', 'https://other.example/', '{}', clock_timestamp())`,
      ...[id, organization, agent],
    );
    return id;
  }

  it('is mailed to its assignee alone, and to nobody who may not view conversations', async () => {
    const agentId = await ground.newAgent();
    const [ana, ben] = [await member('admin'), await member('admin')];
    await member('a deleted role');
    const begin = async () => {
      const id = conversationIn(await ground.write(agentId, { phone: String((phones += 1)) }));
      await pauseConversation(ground.db, id, 5, person);
      return id;
    };
    const [of, nobodys, done] = [await begin(), await begin(), await begin()];
    await ground.rows(`update conversations set assignee_id = $2 where id = $1`, of, ben);
    await markDone(ground.db, done, 'Ana');
    const due = await takeWaitingMails(ground.db, ground.organizationId);
    assert.deepEqual(
      new Set(due.map(({ conversationId, userId }) => `${conversationId} ${userId}`)),
      new Set([`${of} ${ben}`, `${nobodys} ${ana}`, `${nobodys} ${ben}`]),
    );
  });
});
