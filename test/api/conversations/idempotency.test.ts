import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { ApiClient } from '../../support/api-client.ts';
import { useSharedStack } from '../../support/stack.ts';
import { createToken } from '../../../src/adapters/postgres/accounts/tokens.ts';

const key = (value: string) => ({ 'idempotency-key': value });

describe('Idempotency-Key', () => {
  const stack = useSharedStack();

  for (const sync of [false, true]) {
    it(`${sync ? 'sync' : 'async'}: 20 identical calls at once are one input, and each gets the first one's answer`, async () => {
      const { api } = stack();
      const agent = await api.createAgent({ script: [{ reply: 'once', delay_ms: 100 }] });
      const body = { message: 'a', sync };
      const calls = Array.from({ length: 20 }, () =>
        api.call('POST', `/chat/${agent.id}`, { body, headers: key('crowd') }),
      );
      const answers = (await Promise.all(calls)).map(({ status, body: said }) => ({ status, said }));
      for (const answer of answers) assert.deepEqual(answer, answers[0]);
      assert.equal(answers[0]?.status, sync ? 200 : 202);
      const { conversation_id } = answers[0].said as { conversation_id: string };
      assert.deepEqual(
        (await api.settled(conversation_id)).map(({ text }) => text),
        ['a', 'once'],
      );
      const { body: list } = await api.call('GET', `/conversations?agent_id=${agent.id}`);
      assert.equal((list as { data: unknown[] }).data.length, 1);
    });
  }

  it('a much later repeat adds nothing and gets the same response, even if the agent is inactive by then', async () => {
    const { api } = stack();
    const agent = await api.createAgent({ grouping_window_seconds: 0.2, script: [{ reply: 'once' }] });
    const call = { body: { message: 'a' }, headers: key('later') };
    const first = await api.call('POST', `/chat/${agent.id}`, call);
    const { conversation_id } = first.body as { conversation_id: string };
    await api.settled(conversation_id);
    await api.changeAgent(agent.id, { active: false });
    const again = await api.call('POST', `/chat/${agent.id}`, call);
    assert.deepEqual([again.status, again.body], [first.status, first.body]);
    await delay(400); // longer than the window: a second run would have ended
    assert.equal((await api.messages(conversation_id)).length, 2);
  });

  it('409 idempotency_conflict: the same key with another body', async () => {
    const { api } = stack();
    const { id } = await api.createAgent();
    await api.send(id, { message: 'a' }, key('twice'));
    const body = await api.refused(409, 'POST', `/chat/${id}`, {
      body: { message: 'b' },
      headers: key('twice'),
    });
    assert.deepEqual(body, {
      error: 'This Idempotency-Key was used with another body.',
      code: 'idempotency_conflict',
    });
  });

  it('is separate for each token and path', async () => {
    const { api, db, organizationId, apiUrl } = stack();
    const [one, two] = [await api.createAgent(), await api.createAgent()];
    const { token } = await createToken(db, { organizationId, name: 'second' });
    const sent = [
      await api.send(one.id, { message: 'a' }, key('scope')),
      await api.send(two.id, { message: 'a' }, key('scope')),
      await new ApiClient(apiUrl, token).send(one.id, { message: 'a' }, key('scope')),
    ];
    assert.equal(new Set(sent.map(({ conversation_id }) => conversation_id)).size, 3);
  });

  it('a refused call does not use up the key', async () => {
    const { api } = stack();
    const { id } = await api.createAgent({ active: false });
    await api.refused(409, 'POST', `/chat/${id}`, { body: { message: 'a' }, headers: key('free') });
    await api.refused(422, 'POST', `/chat/${id}`, { body: { message: '' }, headers: key('free') });
    await api.changeAgent(id, { active: true });
    await api.send(id, { message: 'b' }, key('free'));
  });

  it('422: an empty key, or one over 255 characters', async () => {
    const { api } = stack();
    const { id } = await api.createAgent();
    await api.send(id, { message: 'a' }, key('x'.repeat(255)));
    for (const value of ['', 'x'.repeat(256)]) {
      const { details } = await api.refused(422, 'POST', `/chat/${id}`, {
        body: { message: 'a' },
        headers: key(value),
      });
      assert.deepEqual(
        details?.map(({ path }) => path),
        ['Idempotency-Key'],
      );
    }
  });
});
