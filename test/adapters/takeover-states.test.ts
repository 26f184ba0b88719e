/** What a takeover leaves in the database, and what the figures and the history make of it. */
import assert from 'node:assert/strict';
import { findOverview } from '../../src/adapters/postgres/data/overview.ts';
import { listMessages } from '../../src/adapters/postgres/conversations/history.ts';
import { pauseConversation, writeAsPerson } from '../../src/adapters/postgres/conversations/pauses.ts';
import { unnamedHumanAgent } from '../../src/domain/conversations/takeover.ts';
import { createFileLinks } from '../../src/adapters/secrets/file-links.ts';
import { conversationIn, openChannelGround, type ChannelGround } from '../support/channel-ground.ts';

describe('States of a takeover', function () {
  this.timeout(120_000);
  let ground: ChannelGround;
  let agent: string;
  const who = { phone: '5511400099999' };
  beforeEach(async () => {
    ground = await openChannelGround();
    agent = await ground.newAgent();
  });
  afterEach(() => ground.close());

  const write = async (text: string) =>
    conversationIn(await ground.write(agent, who, { text, sentAtMs: Date.now() }));
  const states = async () =>
    (await ground.rows<{ state: string }>('select state from runs order by ordinal')).map(
      ({ state }) => state,
    );
  const messages = async (conversation: string) => {
    const links = createFileLinks(undefined, '');
    return (await listMessages(ground.db, conversation, { limit: 50, order: 'asc' }, links)).data;
  };
  const totals = async () => (await findOverview(ground.db, ground.organizationId, 1)).totals;

  it('a run that a human agent takes over before the agent begins is `handed_over`, and is no answer of the agent', async () => {
    const conversation = await write('answered by the agent');
    await ground.answer(conversation);
    await ground.rows(`update deliveries set status = 'delivered'`);
    await write('left to a human agent');
    await pauseConversation(ground.db, conversation, undefined, { by: 'api' });
    assert.deepEqual(await states(), ['answered', 'handed_over']);
    const { received, answered, failed } = await totals();
    assert.deepEqual({ received, answered, failed }, { received: 2, answered: 1, failed: 0 });
    const statuses = (await messages(conversation)).map((one) =>
      one.role === 'user' ? one.status : one.role,
    );
    assert.deepEqual(statuses, ['answered', 'agent', 'answered']);
  });

  it('each message has the origin that the history and the limits read: contact, agent, console or API, phone', async () => {
    const conversation = await write('from the contact');
    await ground.answer(conversation, 'from the agent');
    await writeAsPerson(ground.db, conversation, { text: 'from the API', attachments: [] }, { by: 'api' });
    await ground.write(agent, who, { text: 'from the phone', fromMe: true });
    await write('during the takeover');
    const rows = await ground.rows<{ text: string; origin: string }>(
      'select text, origin from messages order by seq',
    );
    assert.deepEqual(
      rows.map(({ text, origin }) => [text, origin]),
      [
        ['from the contact', 'user'],
        ['from the agent', 'agent'],
        ['from the API', 'human_agent'],
        ['from the phone', 'phone'],
        ['during the takeover', 'user'],
      ],
    );
    const shown = (await messages(conversation)).map((one) =>
      one.role === 'agent'
        ? ['agent', one.by_person, one.responding_agent_name]
        : ['user', one.status, one.unanswered],
    );
    assert.deepEqual(shown, [
      ['user', 'answered', undefined],
      ['agent', undefined, shown[1]![2]],
      ['agent', true, unnamedHumanAgent],
      ['agent', true, unnamedHumanAgent],
      ['user', 'answered', 'paused'],
    ]);
    const counted = await ground.rows<{ answers: number }>('select answers from channel_answers');
    assert.deepEqual(counted, [{ answers: 1 }]);
  });
});
