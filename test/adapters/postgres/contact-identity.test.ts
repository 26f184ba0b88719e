/** The identity of WhatsApp contacts: a LID names the person, a phone the address; a reply goes to nobody else. */
import assert from 'node:assert/strict';
import { numbers } from '../../support/interleavings/interleaving.ts';
import {
  pauseConversation,
  resumeConversation,
  writeAsPerson,
} from '../../../src/adapters/postgres/conversations/pauses.ts';
import { loadHistory } from '../../../src/adapters/postgres/conversations/transcript.ts';
import { findContactAddress } from '../../../src/adapters/postgres/whatsapp/sends.ts';
import {
  conversationIn,
  openChannelGround,
  type ChannelGround,
  type Named,
  type WrittenMessage,
} from '../../support/channel-ground.ts';

type Contact = { id: string; contact_id: string; phone: string | null; lid: string | null };

describe('Identity of WhatsApp contacts', () => {
  let ground: ChannelGround;
  let agent: string;
  let count = 0;
  let phone: string, other: string, lid: string, otherLid: string;
  before(async () => {
    ground = await openChannelGround();
  });
  after(() => ground.close());
  beforeEach(async () => {
    agent = await ground.newAgent();
    count += 10;
    [phone, other] = [`55119000${10_000 + count}`, `55119000${10_001 + count}`];
    [lid, otherLid] = [`9000${10_000 + count}@lid`, `9000${10_001 + count}@lid`];
  });

  const write = async (who: Named, message?: WrittenMessage) =>
    conversationIn(await ground.write(agent, who, message));
  const contacts = () =>
    ground.rows<Contact>('select * from channel_contacts where agent_id = $1 order by created_at', agent);
  const textsIn = async (conversation: string) =>
    (
      await ground.rows<{ text: string }>(
        'select text from messages where conversation_id = $1 order by seq',
        conversation,
      )
    ).map(({ text }) => text);
  const recipientOf = async (delivery: string) =>
    (await ground.rows<{ recipient: string }>('select recipient from deliveries where id = $1', delivery))[0]!
      .recipient;
  const pausedOf = async (conversation: string) =>
    (
      await ground.rows<{ paused: boolean; paused_by: string | null }>(
        'select coalesce(paused_until > now(), false) as paused, paused_by from conversations where id = $1',
        conversation,
      )
    )[0]!;

  describe('replies go to where the last message came from', () => {
    it('a contact with a known LID writes from a new number: the same conversation, answered there', async () => {
      const first = await write({ phone, lid });
      assert.equal((await ground.answer(first)).recipient, phone);
      await ground.rows(`update deliveries set status = 'delivered' where conversation_id = $1`, first);
      const second = await write({ phone: other, lid });
      assert.equal(second, first);
      assert.equal((await ground.answer(second)).recipient, other);
      assert.equal((await findContactAddress(ground.db, first))?.number, other, 'typing is shown there too');
      const [contact] = await contacts();
      assert.deepEqual([contact!.phone, contact!.contact_id], [other, `whatsapp:${other}`]);
    });

    it('a message that names only the LID is answered at the LID, because the phone may be a stranger’s by now', async () => {
      const first = await write({ phone, lid });
      const second = await write({ lid });
      assert.equal(second, first);
      assert.equal((await ground.answer(second)).recipient, lid);
    });

    it('a reply that is still pending follows the contact, and so does a person’s message and a follow-up', async () => {
      const conversation = await write({ phone, lid });
      const { deliveryId } = await ground.answer(conversation);
      await write({ phone: other, lid });
      assert.equal(await recipientOf(deliveryId), other);
      const message = await writeAsPerson(
        ground.db,
        conversation,
        { text: 'a person', attachments: [] },
        { by: 'api' },
      );
      const [written] = await ground.rows<{ recipient: string }>(
        'select recipient from deliveries where message_id = $1',
        message,
      );
      assert.equal(written!.recipient, other);
      const followUp = await ground.failFollowUp(conversation);
      assert.equal(await recipientOf(followUp!), other);
    });

    it('an answer that has not begun goes to the number that the contact has when it ends', async () => {
      const conversation = await write({ phone, lid });
      await write({ phone: other, lid: otherLid });
      // The first contact's number gets a new holder before the answer is made.
      const stranger = await write({ phone, lid: `${lid.slice(0, -4)}7@lid` });
      assert.notEqual(stranger, conversation);
      assert.equal((await ground.answer(conversation)).recipient, lid);
      assert.equal((await ground.answer(stranger)).recipient, phone);
    });

    it('what is typed on the business’s phone moves no address, and neither does an older message', async () => {
      const conversation = await write({ phone, lid }, { sentAtMs: 1_000_000 });
      await write({ phone: other, lid }, { sentAtMs: 3_000_000 });
      assert.equal(await write({ phone, lid }, { sentAtMs: 2_000_000 }), conversation);
      assert.equal((await findContactAddress(ground.db, conversation))?.number, other);
      await write({ phone, lid }, { sentAtMs: 4_000_000, fromMe: true });
      assert.equal((await findContactAddress(ground.db, conversation))?.number, other);
    });
  });

  describe('a number that somebody else has now', () => {
    it('begins a conversation of its own: the stranger reads nothing of the former holder’s', async () => {
      const former = await write({ phone, lid }, { text: 'my secret' });
      const { deliveryId } = await ground.answer(former);
      const stranger = await write({ phone, lid: otherLid }, { text: 'who is this' });
      assert.notEqual(stranger, former);
      assert.deepEqual(await textsIn(stranger), ['who is this']);
      assert.equal(await recipientOf(deliveryId), lid, 'the pending answer stays with its person');
      assert.equal((await ground.answer(stranger)).recipient, phone);
      assert.equal(await write({ phone }), stranger, 'the number alone means its present holder');
      assert.equal(await write({ lid }), former);
    });

    it('is erased and exported for its holder alone, also if another channel has not received the change', async () => {
      const second = await ground.newAgent();
      const former = [
        await write({ phone, lid }),
        conversationIn(await ground.write(second, { phone, lid })),
      ].sort();
      const present = await write({ phone, lid: otherLid });
      const found = async (name: string) =>
        (
          await ground.rows<{ id: string }>(
            'select id from conversations_of_contact($1, $2) as id order by id',
            ground.organizationId,
            name,
          )
        ).map(({ id }) => id);
      assert.deepEqual(await found(`whatsapp:${lid}`), former);
      assert.deepEqual(await found(`whatsapp:${otherLid}`), [present]);
      const merged = [await write({ phone: other }), await write({ lid: '77@lid' })].sort();
      await write({ phone: other, lid: '77@lid' });
      for (const name of [`whatsapp:${other}`, 'whatsapp:77@lid'])
        assert.deepEqual(await found(name), merged, name);
    });

    it('whose former holder moved to another number stays apart from the former holder', async () => {
      const mover = await write({ phone, lid });
      await write({ phone: other, lid });
      const newcomer = await write({ phone });
      assert.notEqual(newcomer, mover);
      assert.equal((await ground.answer(newcomer)).recipient, phone);
      const names = (await contacts()).map((one) => one.contact_id);
      assert.equal(new Set(names).size, 2, names.join());
    });

    it('a gateway that gives one LID to several people does not merge them', async () => {
      const people = Array.from({ length: 6 }, (_, n) => `55118000${count}${n}`);
      const conversations = [];
      for (const one of [...people, ...people]) conversations.push(await write({ phone: one, lid }));
      const after = conversations.slice(people.length);
      assert.ok(new Set(after).size >= people.length - 1, 'all but one of them are told apart');
      for (const one of people) await write({ phone: one, lid });
      for (const [index, conversation] of after.entries()) {
        if (index === 0) continue;
        assert.equal(await write({ phone: people[index]!, lid }), conversation);
      }
    });
  });

  it('over 25 stories of people who change numbers and inherit them: no conversation and no address of another person', async () => {
    for (let seed = 1; seed <= 25; seed++) {
      const next = numbers(seed);
      const pick = <T>(of: readonly T[]): T => of[Math.floor(next() * of.length)]!;
      const at = await ground.newAgent();
      const phones = [0, 1, 2, 3, 4].map((n) => `5511600${seed}${n}0`);
      const people = ['a', 'b', 'c'].map((_, n) => ({ lid: `6000${seed}${n}@lid`, phone: phones[n]! }));
      /** The person last seen with a number, by LID: until somebody is seen, a number alone names its former holder. */
      const seen = new Map<string, string>();
      const owner = new Map<string, string>();
      let sentAtMs = Date.now();
      for (let step = 0; step < 25; step++) {
        sentAtMs += 2 * 24 * 3_600_000;
        const person = pick(people);
        const free = phones.filter((one) => people.every((other) => other.phone !== one));
        if (next() < 0.3) person.phone = pick(free);
        const isKnown = seen.get(person.phone) === person.lid;
        const told = pick(isKnown ? (['both', 'phone', 'LID'] as const) : (['both', 'LID'] as const));
        const who = {
          ...(told !== 'LID' && { phone: person.phone }),
          ...(told !== 'phone' && { lid: person.lid }),
        };
        const conversation = conversationIn(await ground.write(at, who, { sentAtMs }));
        if (told !== 'LID') {
          for (const [number, holder] of seen) if (holder === person.lid) seen.delete(number);
          seen.set(person.phone, person.lid);
        }
        const story = `seed ${seed}, step ${step}, ${JSON.stringify(who)}`;
        assert.equal(owner.get(conversation) ?? person.lid, person.lid, story);
        owner.set(conversation, person.lid);
        const address = await findContactAddress(ground.db, conversation);
        assert.equal(address?.number, told === 'LID' ? person.lid : person.phone, story);
      }
    }
  });

  describe('a row by phone and a row by LID turn out to be one person', () => {
    it('become one contact; no message is lost, both conversations stay, the one written in last continues', async () => {
      const byPhone = await write({ phone }, { text: 'by phone' });
      const byLid = await write({ lid }, { text: 'by LID' });
      assert.notEqual(byPhone, byLid);
      const together = await write({ phone, lid }, { text: 'both' });
      assert.equal(together, byLid);
      assert.equal((await contacts()).length, 1);
      assert.deepEqual(await textsIn(byPhone), ['by phone']);
      assert.deepEqual(await textsIn(byLid), ['by LID', 'both']);
      assert.equal(await write({ phone }), byLid);
      assert.equal(await write({ lid }), byLid);
      const [earlier] = await ground.rows<{ continued_by: string }>(
        'select continued_by from conversations where id = $1',
        byPhone,
      );
      assert.equal(earlier!.continued_by, byLid);
    });

    it('show the agent the messages of both', async () => {
      const byPhone = await write({ phone }, { text: 'my order is 4711' });
      await ground.answer(byPhone, 'noted');
      await write({ lid }, { text: 'hello' });
      const current = await write({ phone, lid }, { text: 'where is it' });
      const run = { conversation_id: current, ordinal: 2, channel: 'whatsapp' as const, tries: null };
      assert.deepEqual(
        (await loadHistory(ground.db, run)).map(({ role, text }) => [role, text]),
        [
          ['user', 'my order is 4711'],
          ['agent', 'noted'],
          ['user', 'hello'],
        ],
      );
    });

    for (const first of ['phone', 'LID'] as const) {
      it(`keeps the pause of either: made in the conversation by ${first}, it holds in the one that continues`, async () => {
        const byPhone = await write({ phone });
        const byLid = await write({ lid });
        const paused = first === 'phone' ? byPhone : byLid;
        await pauseConversation(ground.db, paused, 60, { by: 'console', name: 'Ana' });
        const outcome = await ground.write(agent, { phone, lid });
        assert.equal(outcome.outcome, 'stored');
        for (const one of [byPhone, byLid]) {
          assert.deepEqual(await pausedOf(one), { paused: true, paused_by: 'console' });
        }
        await resumeConversation(ground.db, paused);
        for (const one of [byPhone, byLid]) assert.equal((await pausedOf(one)).paused, false);
      });
    }

    it('keeps the pending replies of both, and sends each to the person', async () => {
      const byPhone = await write({ phone });
      const byLid = await write({ lid });
      const replies = [await ground.answer(byPhone, 'one'), await ground.answer(byLid, 'two')];
      await write({ phone, lid });
      for (const { deliveryId } of replies) {
        const [row] = await ground.rows<{ recipient: string; status: string }>(
          'select recipient, status from deliveries where id = $1',
          deliveryId,
        );
        assert.deepEqual(row, { recipient: phone, status: 'pending' });
      }
    });

    it('answers what is still open in the conversation that does not continue', async () => {
      const byPhone = await write({ phone }, { text: 'open' });
      await write({ lid });
      await write({ phone, lid });
      assert.equal((await ground.answer(byPhone)).recipient, phone);
    });

    it('is also seen when a person types on the business’s phone to a contact known by both', async () => {
      await write({ phone });
      const byLid = await write({ lid });
      const outcome = await ground.write(agent, { phone, lid }, { fromMe: true });
      assert.equal(outcome.outcome, 'takeover');
      assert.equal((await contacts()).length, 1);
      assert.equal((await pausedOf(byLid)).paused, true);
      assert.equal((await ground.write(agent, { phone })).outcome, 'stored');
    });

    it('under concurrency: 40 people, their events by phone, by LID and by both all at once', async () => {
      const people = Array.from({ length: 40 }, (_, n) => ({
        phone: `5511700${count}${100 + n}`,
        lid: `7000${count}${100 + n}@lid`,
      }));
      const events = people.flatMap(({ phone: p, lid: l }) =>
        [{ phone: p }, { lid: l }, { phone: p, lid: l }, { phone: p }, { lid: l }].map((who) => ({ p, who })),
      );
      const shuffled = events
        .map((event) => ({ event, at: Math.random() }))
        .sort((a, b) => a.at - b.at)
        .map(({ event }) => event);
      await Promise.all(shuffled.map(({ p, who }) => write(who, { text: p, sentAtMs: Date.now() })));
      for (const { phone: p, lid: l } of people) await write({ phone: p, lid: l }, { text: p });
      const rows = await contacts();
      assert.equal(rows.length, people.length);
      const kept = await ground.rows<{ texts: string[]; n: number }>(
        `select array_agg(distinct m.text) as texts, count(*)::int as n from conversations c
           join messages m on m.conversation_id = c.id where c.target_id = $1 group by c.channel_contact_id`,
        agent,
      );
      assert.equal(kept.length, people.length);
      for (const { texts, n } of kept) assert.deepEqual([texts.length, n], [1, 6]);
      const open = await ground.rows<{ n: number }>(
        `select count(*)::int as n from conversations where target_id = $1 and continued_by is null`,
        agent,
      );
      assert.equal(open[0]!.n, people.length);
    });
  });
});
