/**
 * examples/dify-agent.ts: a Dify app answers behind Parley. Dify is a double that behaves as its documentation
 * describes.
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Agent } from '../../src/contract/conversations/agents.ts';
import type { ErrorBody } from '../../src/contract/errors.ts';
import { agentElsewhere } from '../support/agent-elsewhere.ts';
import type { ApiClient } from '../support/api-client.ts';
import { startDifyServer, type DifyBehaviour, type DifyServer } from '../support/dify-server.ts';
import { startStack, type Stack } from '../support/stack.ts';
import { startExample, type Example } from './run-example.ts';

const key = 'key-of-the-adapter';

describe('A Dify app behind Parley', () => {
  let stack: Stack;
  let dify: DifyServer;
  let example: Example;
  let folder: string;
  let env: Record<string, string>;
  let api: ApiClient;
  let agent: Agent;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'parley-dify-'));
    dify = await startDifyServer('key-of-dify');
    env = {
      ...{ AGENT_KEY: key, DIFY_URL: dify.url, DIFY_KEY: 'key-of-dify', PORT: '0' },
      DIFY_FILE: join(folder, 'dify.sqlite'),
    };
    example = startExample('dify-agent.ts', env);
    const [, url = ''] = await example.says(/listening: (\S+)/);
    const settings = { ENCRYPTION_KEY: randomBytes(32).toString('base64'), MODEL_ALLOW: '127.0.0.1' };
    stack = await startStack({ env: settings });
    const made = await agentElsewhere(stack, { url, key });
    assert.equal(made.sample, 'Dify: Greet a customer of our shop in one short sentence.');
    ({ api, agent } = made);
  });
  after(async () => {
    await stack.stop();
    await example.kill();
    await dify.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const fresh = (text: string) => `${text} ${crypto.randomUUID()}`;

  it('answers, and keeps one conversation of Dify for each of Parley', async () => {
    const [first, second, other] = [fresh('first'), fresh('second'), fresh('other')];
    const { conversation_id, response } = await api.ask(agent.id, { message: first });
    assert.equal(response, `Dify: ${first}`);
    await api.ask(agent.id, { message: second, conversation_id });
    await api.ask(agent.id, { message: other });
    const [begun, continued, apart] = [first, second, other].map((query) => dify.callsFor(query)[0]);
    assert.ok(begun && apart);
    assert.equal(begun.conversation_id, '');
    assert.ok(continued && continued.conversation_id !== '');
    assert.equal(apart.conversation_id, '');
    assert.deepEqual([begun.user, continued.user], [conversation_id, conversation_id]);
  });

  it('answers for an agent of Dify, which only streams, and with what moderation left', async () => {
    const [ofAgent, moderated] = [fresh('agent'), fresh('moderated')];
    dify.behave(ofAgent, 'agent');
    dify.behave(moderated, 'moderated');
    assert.equal((await api.ask(agent.id, { message: ofAgent })).response, `Dify: ${ofAgent}`);
    assert.equal((await api.ask(agent.id, { message: moderated })).response, 'Moderated.');
  });

  it('asks again when Dify is busy', async () => {
    const text = fresh('busy');
    dify.behave(text, 'busy once');
    assert.equal((await api.ask(agent.id, { message: text })).response, `Dify: ${text}`);
    assert.equal(dify.callsFor(text).length, 2);
  });

  const failing: [behaviour: DifyBehaviour, calls: number, said: RegExp][] = [
    ['not set up', 1, /failed \(400\)/],
    ['paused', 1, /failed \(422\)/],
    ['failed flow', 3, /failed \(502\)/],
    ['error event', 3, /failed \(502\)/],
    ['cut', 3, /failed \(500\)/],
  ];
  for (const [behaviour, calls, said] of failing) {
    it(`fails the run after ${calls} calls if Dify's answer is: ${behaviour}`, async () => {
      const text = fresh(behaviour);
      dify.behave(text, behaviour);
      const answer = await api.call('POST', `/chat/${agent.id}`, { body: { message: text, sync: true } });
      assert.equal(answer.status, 502);
      assert.match((answer.body as ErrorBody).error, said);
      assert.equal(dify.callsFor(text).length, calls);
    });
  }

  it('asks Dify once for a key, also when it was killed in between, and refuses a wrong key', async () => {
    const text = fresh('repeated');
    const conversation_id = crypto.randomUUID();
    const body = JSON.stringify({
      ...{ version: 1, idempotency_key: `${text}.0.1`, conversation_id, kind: 'message' },
      messages: [{ role: 'user', text }],
    });
    const second = startExample('dify-agent.ts', env);
    const [, url = ''] = await second.says(/listening: (\S+)/);
    const post = async (to: string, bearer = key) => {
      const headers = { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' };
      return await fetch(to, { method: 'POST', headers, body });
    };
    const [one, same] = await Promise.all([post(url), post(url)]);
    const answered = await one.text();
    assert.equal(answered, await same.text());
    await second.kill();
    const third = startExample('dify-agent.ts', env);
    const [, again = ''] = await third.says(/listening: (\S+)/);
    assert.equal(await (await post(again)).text(), answered);
    assert.equal(dify.callsFor(text).length, 1);
    assert.equal((await post(again, 'another')).status, 401);
    await third.kill();
  });
});
