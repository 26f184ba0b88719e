/** Streams over a slow database, and streams that are resumed at another API process. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { freePort } from '../../../src/local/ports.ts';
import { ApiClient } from '../../support/api-client.ts';
import { backing } from '../../support/backing.ts';
import { allTold, kinds, lastOf, pathOf, textsOf, told, type Told } from '../../support/event-reader.ts';
import { startOwnProcess, type OwnProcess } from '../../support/own-process.ts';
import { useStack } from '../../support/stack.ts';

const fable = 'A crow stole a piece of cheese and sat with it in a high tree where a fox saw it.';

describe('Streams of several API processes', () => {
  const stack = useStack();
  let other: OwnProcess;
  let elsewhere: ApiClient;
  before(async () => {
    const port = await freePort();
    const log = join((await backing()).folder, 'another-api.log');
    other = await startOwnProcess('api', { ...stack().env, PORT: String(port) }, log);
    elsewhere = new ApiClient(`http://127.0.0.1:${port}/v1`, stack().token);
  });
  after(async () => {
    await other.kill();
  });

  it('resumes at any API process after the last received event, without loss or repetition', async () => {
    const { api } = stack();
    const agent = await api.createAgent({ script: [{ reply: fable, word_ms: 150 }] });
    const heard: Told[] = [];
    let url = '';
    for await (const event of told(api, `/chat/${agent.id}`, { body: { message: 'tell', sync: true } })) {
      heard.push(event);
      if (event.event === 'accepted') url = pathOf(event.data.stream_url);
      if (event.event === 'delta') break;
    }
    for (let cuts = 0; cuts < 3; cuts++) {
      const headers = { 'last-event-id': lastOf(heard).id };
      for await (const event of told(cuts % 2 === 0 ? elsewhere : api, url, { headers })) {
        heard.push(event);
        if (event.event === 'delta') break;
      }
    }
    assert.notEqual(lastOf(heard).event, 'completed', 'the run was over before the last cut');
    heard.push(...(await allTold(told(elsewhere, url, { headers: { 'last-event-id': lastOf(heard).id } }))));
    assert.deepEqual(textsOf(heard), [fable]);
    assert.equal(lastOf(heard).event, 'completed');
    assert.equal(new Set(heard.map(({ id }) => id)).size, heard.length);
    // From the beginning it is the same again; after the end there is nothing.
    const again = await allTold(told(api, url));
    assert.deepEqual(again, heard);
    const done = await api.call('GET', url, { headers: { 'last-event-id': 'end' } });
    assert.deepEqual([done.status, done.body], [204, '']);
  });

  it('delivers twenty concurrent streams complete and in order while the database is slow', async () => {
    const { api, postgresLine } = stack();
    const text = Array.from({ length: 120 }, (_, n) => `word${n}`).join(' ');
    const agent = await api.createAgent({ script: [{ reply: text, word_ms: 5 }] });
    postgresLine.slow(40);
    try {
      const streams = Array.from({ length: 20 }, async (_, n) => {
        const body = { message: `tell ${n}`, sync: true };
        return await allTold(told(api, `/chat/${agent.id}`, { body }));
      });
      for (const events of await Promise.all(streams)) {
        assert.deepEqual(kinds(events), ['accepted', 'delta', 'completed']);
        assert.deepEqual(textsOf(events), [text]);
      }
    } finally {
      postgresLine.slow(0);
    }
  });
});
