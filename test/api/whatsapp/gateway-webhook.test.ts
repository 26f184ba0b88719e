import assert from 'node:assert/strict';
import { ensureChannel } from '../../../src/adapters/postgres/whatsapp/channels.ts';
import { createEncryption } from '../../../src/adapters/secrets/encryption.ts';
import { useSharedStack } from '../../support/stack.ts';

describe("A gateway's webhook", () => {
  const stack = useSharedStack();

  it('answers 401 for any wrong secret, whatever the length of the stored hash', async () => {
    const { api, db, apiUrl, organizationId } = stack();
    const { id } = await api.createAgent({ name: 'with a channel' });
    // A process that starts beside this one refuses secrets of another key.
    const encryption = createEncryption(stack().env['ENCRYPTION_KEY']);
    await ensureChannel(db, encryption, { id, organizationId });
    for (const bytes of [0, 1, 16, 31, 32, 33, 64]) {
      await db
        .knex('channels')
        .where({ agent_id: id })
        .update({ webhook_secret_hash: Buffer.alloc(bytes, 7) });
      for (const secret of ['wrong', 'a'.repeat(500)]) {
        const answer = await fetch(`${apiUrl}/webhooks/gateway/${id}/${secret}`, {
          method: 'POST',
          body: '{}',
        });
        assert.equal(answer.status, 401, `${bytes} bytes`);
      }
    }
  });
});
