import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { ensureChannel, hashWebhookSecret } from '../../../src/adapters/postgres/whatsapp/channels.ts';
import { createEncryption } from '../../../src/adapters/secrets/encryption.ts';
import { useStack } from '../../support/stack.ts';

describe("Guesses of a gateway's webhook secret", () => {
  const perSecond = 5;
  const stack = useStack({ apis: 1, env: { RATE_LIMIT: String(perSecond) } });

  it('get 429 over the rate limit, of that channel alone; whoever has the secret is not limited', async () => {
    const { api, db, apiUrl, organizationId } = stack();
    const channelOf = async (name: string) => {
      const { id } = await api.createAgent({ name });
      const encryption = createEncryption(randomBytes(32).toString('base64'));
      await ensureChannel(db, encryption, { id, organizationId });
      const secret = randomBytes(16).toString('hex');
      const webhook_secret_hash = hashWebhookSecret(secret);
      await db.knex('channels').where({ agent_id: id }).update({ webhook_secret_hash });
      return { id, secret };
    };
    const post = async (id: string, secret: string) => {
      const answer = await fetch(`${apiUrl}/webhooks/gateway/${id}/${secret}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"event":"presence"}',
      });
      await answer.arrayBuffer();
      return answer;
    };
    const [guessed, calm] = [await channelOf('guessed'), await channelOf('calm')];
    const began = performance.now();
    const guesses = await Promise.all(Array.from({ length: 100 }, (_, n) => post(guessed.id, `guess-${n}`)));
    const limited = guesses.filter(({ status }) => status === 429);
    // Windows of two seconds, the first of which begins with the first guess.
    const windows = 1 + Math.floor((performance.now() - began) / 2000);
    assert.ok(
      limited.length >= 100 - windows * 2 * perSecond,
      `${limited.length} of 100 in ${windows} windows`,
    );
    assert.ok(limited.length > 0);
    assert.ok(guesses.every(({ status }) => status === 429 || status === 401));
    assert.match(limited[0]?.headers.get('retry-after') ?? '', /^[1-9]/);
    const known = await Promise.all(Array.from({ length: 30 }, () => post(guessed.id, guessed.secret)));
    assert.deepEqual(new Set(known.map(({ status }) => status)), new Set([200]));
    assert.equal((await post(calm.id, 'wrong')).status, 401);
    assert.equal((await api.call('GET', '/agents')).status, 200);
  });
});
