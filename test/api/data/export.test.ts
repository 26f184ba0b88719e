import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { exportLines } from '../../../src/adapters/postgres/data/export.ts';
import type { ApiClient } from '../../support/api-client.ts';
import { useSharedStack } from '../../support/stack.ts';
import { until } from '../../support/until.ts';

type Line = { type: string } & Record<string, unknown>;

const linesOf = (text: string): Line[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);

describe('Export', () => {
  const stack = useSharedStack();

  /** Two contacts, one of them with a file and a tool call. */
  async function talked(api: ApiClient) {
    const agent = await api.createAgent({
      script: [
        { when: 'tool', tool: { action: 'DOCS_NONE', input: { query: 'of the tool' } } },
        { on: 'tool_result', reply: 'no tool' },
        { reply: 'an answer' },
      ],
    });
    const content_base64 = Buffer.from('of the file').toString('base64');
    const attachments = [{ content_base64, filename: 'a.txt', content_type: 'text/plain' }];
    const contact = { id: 'a/b c%ü', name: 'Ann' };
    const first = await api.ask(agent.id, { message: 'one', contact, attachments });
    await api.ask(agent.id, { message: 'tool', contact });
    const webhook_url = stack().receiver.url('/exported');
    const sent = await api.send(agent.id, { message: 'two', contact: { id: 'other' }, webhook_url });
    await api.settled(sent.conversation_id);
    return { agent, contact, content_base64, first, second: sent };
  }

  /**
   * Rehearses the agent, and adds a conversation to its test set.
   * @returns the rehearsal, and the turns that were added
   */
  async function rehearsedBy(
    api: ApiClient,
    agentId: string,
    conversation_id: string,
  ): Promise<[id: string, added: number]> {
    const path = `/agents/${agentId}`;
    const added = await api.call('POST', `${path}/test-turns`, { body: { conversation_id } });
    const { id } = (await api.call('POST', `${path}/rehearsals`, { body: {} })).body as { id: string };
    await until('the rehearsal to end', async () => {
      const { body } = await api.call('GET', `${path}/rehearsals/${id}`);
      return (body as { status: string }).status !== 'running';
    });
    return [id, (added.body as { added: number }).added];
  }

  it('of an organization has all of its lines and a final count, and nothing of other organizations', async () => {
    const { api } = await stack().stranger();
    const other = await stack().stranger();
    await talked(other.api);
    const { agent, content_base64, first, second } = await talked(api);
    const [rehearsed, tested] = await rehearsedBy(api, agent.id, first.conversation_id);
    const answer = await api.call('GET', '/export');
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('content-type'), 'application/x-ndjson');
    const lines = linesOf(answer.body as string);
    assert.deepEqual(lines.at(-1), { type: 'end', lines: lines.length - 1 });
    const of = (type: string) => lines.filter((line) => line.type === type);
    assert.deepEqual(
      of('agent').map(({ id }) => id),
      [agent.id],
    );
    assert.deepEqual(
      of('conversation').map(({ id }) => id),
      [second.conversation_id, first.conversation_id],
    );
    assert.deepEqual(
      of('message').map(({ text }) => text),
      ['two', 'an answer', 'one', 'an answer', 'tool', 'no tool'],
    );
    assert.deepEqual(
      of('attachment').map((line) => [line['filename'], line['content_base64']]),
      [['a.txt', content_base64]],
    );
    assert.deepEqual(
      of('tool_call').map((line) => [line['name'], line['input']]),
      [['DOCS_NONE', { query: 'of the tool' }]],
    );
    assert.equal(of('delivery')[0]?.['url'], stack().receiver.url('/exported'));
    assert.deepEqual(
      of('rehearsal').map((line) => [line['id'], line['status']]),
      [[rehearsed, 'completed']],
    );
    assert.deepEqual(
      of('rehearsal_turn').map((line) => [line['conversation_id'], line['position'], line['outcome']]),
      [
        [second.conversation_id, 2, 'same'],
        [first.conversation_id, 0, 'same'],
        [first.conversation_id, 1, 'same'],
      ],
    );
    assert.ok(of('rehearsal_turn').every((line) => line['rehearsal_id'] === rehearsed));
    assert.equal((of('rehearsal_turn')[0]?.['rehearsed'] as { text: string }).text, 'an answer');
    assert.deepEqual(
      of('test_turn').map((line) => [line['conversation_id'], line['agent_id']]),
      Array.from({ length: tested }, () => [first.conversation_id, agent.id]),
    );
  });

  it('of a contact has only their data, over the API and on the command line', async () => {
    const { api, organizationId } = await stack().stranger();
    const { agent, contact, first } = await talked(api);
    await rehearsedBy(api, agent.id, first.conversation_id);
    const answer = await api.call('GET', `/contacts/${encodeURIComponent(contact.id)}/export`);
    const lines = linesOf(answer.body as string);
    const types = [
      'conversation',
      'message',
      'attachment',
      'message',
      'message',
      'message',
      'tool_call',
      'test_turn',
      'test_turn',
      'rehearsal_turn',
      'rehearsal_turn',
      'end',
    ];
    assert.deepEqual(
      lines.map(({ type }) => type),
      types,
    );
    assert.equal(lines[0]?.['id'], first.conversation_id);
    const command = ['src/cli/main.ts', 'export-data', '--org', organizationId, '--contact', contact.id];
    const { stdout } = await promisify(execFile)(process.execPath, command, {
      env: { ...process.env, DATABASE_URL: stack().databaseUrl },
    });
    assert.equal(stdout, answer.body);
    await api.refused(404, 'GET', '/contacts/nobody/export');
    const foreign = await stack().stranger();
    await foreign.api.refused(404, 'GET', `/contacts/${encodeURIComponent(contact.id)}/export`);
  });

  it('reads rows only as fast as its reader', async () => {
    const { api, organizationId } = await stack().stranger();
    const agent = await api.createAgent({ script: [{ reply: 'ok' }] });
    for (let n = 0; n < 8; n++) await api.ask(agent.id, { message: `${n}` });
    let queries = 0;
    const ask = async <T>(query: () => Promise<T>): Promise<T> => {
      queries += 1;
      return await query();
    };
    const lines = Readable.from(exportLines(stack().db, ask, { organizationId }), { highWaterMark: 1 });
    const reader = lines[Symbol.asyncIterator]();
    await reader.next();
    await delay(300);
    const before = queries;
    assert.ok(before <= 4, `${before} queries for the first line`);
    let rest = 0;
    while ((await reader.next()).done !== true) rest += 1;
    // The agent's version is among them.
    assert.equal(rest, 8 * 3 + 2);
    assert.ok(queries > before + 8 * 3);
  });
});
