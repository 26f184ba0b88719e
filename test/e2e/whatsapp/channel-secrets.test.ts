import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { backing } from '../../support/backing.ts';
import { useChannelStand } from '../../support/channel-stand.ts';
import { channelTalk, echoScript } from '../../support/channel-talk.ts';
import { until } from '../../support/until.ts';

describe('Secrets and texts of a channel', () => {
  const stand = useChannelStand();
  const text = `planted-${randomUUID()}`;
  const replied = `answered-${randomUUID()}`;
  let webhookSecret: string;
  let agentId: string;

  before(async () => {
    const { emulator, connected, call } = stand();
    const talk = channelTalk(stand());
    const { id, webhookUrl } = await connected([{ when: '.', reply: replied }, ...echoScript]);
    agentId = id;
    webhookSecret = webhookUrl.split('/').at(-1)!;
    emulator.setWebhook({ url: webhookUrl, excludeMessages: [] });
    const from = talk.newNumber();
    // Paths that could spill them: faults, refusals, a failed edit, a takeover, a file, an edit of a message.
    emulator.faults.next('/send/text', 'server_error');
    const { messageId } = await emulator.deliverInbound({ from, text });
    await emulator.deliverInbound({ from, text: `${text} edited`, edited: messageId });
    await emulator.deliverInbound({ from, text, group: true });
    await emulator.deliverInbound({ from, text, kind: 'reaction' });
    await emulator.deliverInbound({ from, text, kind: 'image' });
    await until('the replies', () => talk.sentTo(from).length >= 2);
    await emulator.typeOnPhone({ from, text });
    await call('PATCH', `/agents/${id}/channel`, { instance_token: 'not-the-token-of-anyone' });
    emulator.faults.next('/instance/status', 'cut_json');
    await call('POST', `/agents/${id}/channel/verify`);
    await fetch(`${webhookUrl}x`, { method: 'POST', body: JSON.stringify({ text }) });
    await fetch(webhookUrl, { method: 'POST', body: `{"text": "${text}"` });
    const conversation = await talk.conversationOf(id);
    await until('every delivery', async () => {
      const messages = await talk.messagesOf(conversation.id);
      return messages
        .filter((one) => one.delivery)
        .every((one) => !/pending|attempting/.test(one.delivery?.status ?? ''));
    });
  });

  const planted = () =>
    ({
      'the text': text,
      'the reply': replied,
      'the instance token': stand().emulator.instanceToken,
      'the webhook secret': webhookSecret,
    }) as const;

  it('are in no log', async () => {
    const { folder } = await backing();
    const logs = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.log'),
    );
    const written = logs.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n');
    assert.match(written, /API listens/);
    for (const [what, value] of Object.entries(planted())) assert.equal(written.includes(value), false, what);
  });

  it('are in no row, except for the text in its message', async () => {
    const { pool } = stand().stack.db;
    const { rows: tables } = await pool.query<{ name: string }>(
      `select quote_ident(relname) as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`,
    );
    const hits: Record<string, string[]> = {};
    for (const { name } of tables) {
      const { rows } = await pool.query<{ row: string }>(`select t::text as row from ${name} t`);
      for (const [what, value] of Object.entries(planted())) {
        // Bytes are written as hexadecimal digits.
        const hex = Buffer.from(value).toString('hex');
        if (rows.some(({ row }) => row.includes(value) || row.includes(hex))) (hits[what] ??= []).push(name);
      }
    }
    for (const names of Object.values(hits)) names.sort();
    // The test put the reply into the agent's script, which the agent's versions have too.
    assert.deepEqual(hits, {
      'the text': ['messages'],
      'the reply': ['agent_versions', 'agents', 'messages'],
    });
  });

  it('are in no workflow history', async () => {
    const { client } = stand().stack.temporal;
    let seen = '';
    for await (const { workflowId, runId } of client.workflow.list()) {
      const history = await client.workflow.getHandle(workflowId, runId).fetchHistory();
      seen += JSON.stringify(history, (_key, value: unknown) =>
        value instanceof Uint8Array ? Buffer.from(value).toString('utf8') : value,
      );
    }
    assert.ok(seen.includes('sendReply') && seen.includes('checkChannel'));
    for (const [what, value] of Object.entries(planted())) assert.equal(seen.includes(value), false, what);
  });

  it('are not shown by the API, except for the webhook URL that a user must copy', async () => {
    const { call, emulator } = stand();
    const shown = JSON.stringify([
      await call('GET', `/agents/${agentId}/channel`),
      await call('GET', `/agents/${agentId}/channel/events`),
      await call('GET', `/agents/${agentId}/channel/webhook`),
      await call('GET', '/deliveries'),
    ]);
    assert.equal(shown.includes(emulator.instanceToken), false);
    assert.equal(shown.includes(text), false);
  });
});
