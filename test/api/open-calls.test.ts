/** One organization's calls that wait leave connections for the others. */
import assert from 'node:assert/strict';
import { get } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { until } from '../support/until.ts';
import { useStack } from '../support/stack.ts';

describe('Concurrent calls', () => {
  const stack = useStack({ env: { ORGANIZATION_RATE_LIMIT: 'off', MAX_CONNECTIONS: '250' } });

  it('are a fifth of the connections for an organization: 429 beyond them, and another is answered', async () => {
    const { api, token, apiUrl } = stack();
    const script = [{ reply: 'late', delay_ms: 60_000 }];
    const agent = await api.createAgent({ model: 'scripted/default', script });
    const { conversation_id } = await api.send(agent.id, { message: 'a' });
    const messages = await until('the message to be kept', async () => {
      const all = await api.messages(conversation_id);
      return all.length > 0 && all;
    });
    const url = `${apiUrl}/messages/${messages[0]?.id}/stream`;
    const headers = { authorization: `Bearer ${token}`, accept: 'text/event-stream' };
    const open: IncomingMessage[] = [];
    let refused = 0;
    const calls = Array.from({ length: 60 }, () =>
      get(url, { agent: false, headers }, (response) => {
        if (response.statusCode === 200) open.push(response);
        if (response.statusCode === 429) refused += 1;
      }).on('error', () => undefined),
    );
    await until('all to be answered', () => open.length + refused === 60);
    assert.deepEqual([open.length, refused], [50, 10]);
    const other = await stack().stranger();
    assert.deepEqual((await other.api.call('GET', '/agents')).status, 200);
    for (const call of calls) call.destroy();
    await until('room again', async () => (await api.call('GET', '/agents')).status === 200);
  });
});
