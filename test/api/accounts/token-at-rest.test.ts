import assert from 'node:assert/strict';
import { deleteToken, makeTokenSecret, revokeToken } from '../../../src/adapters/postgres/accounts/tokens.ts';
import { ApiClient } from '../../support/api-client.ts';
import { useSharedStack } from '../../support/stack.ts';
import { tablesWith } from '../../support/traces-of-text.ts';

describe('An API token', () => {
  const stack = useSharedStack();

  it('is in no row of any table, except for its first eleven characters', async () => {
    const { token, api } = await stack().stranger();
    assert.match(token, /^pk_[0-9A-Za-z]{38}$/);
    assert.equal((await api.call('GET', '/agents')).status, 200);
    const prefix = token.slice(0, 11);
    assert.deepEqual(await tablesWith(stack(), [token, token.slice(0, 12), prefix]), [
      `api_tokens: ${prefix}`,
    ]);
  });

  it('that is missing, mistyped, unknown, revoked or deleted gets the same response', async () => {
    const [revoked, deleted] = [await stack().stranger(), await stack().stranger()];
    await revokeToken(stack().db, revoked.tokenId);
    await deleteToken(stack().db, deleted.tokenId);
    const mistyped = revoked.token.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'));
    const wrong = [null, 'pk_', mistyped, makeTokenSecret().secret, revoked.token, deleted.token];
    const api = new ApiClient(stack().apiUrl, '');
    const answers = await Promise.all(wrong.map((token) => api.call('GET', '/agents', { token })));
    for (const { status, body } of answers) assert.deepEqual([status, body], [401, answers[0]?.body]);
  });
});
