/** The use of a token: the time of its last authenticated call, and the number of calls made with it. */
import assert from 'node:assert/strict';
import { z } from 'zod';
import { createToken } from '../../../src/adapters/postgres/accounts/tokens.ts';
import { apiToken, type ApiToken } from '../../../src/contract/accounts/tokens.ts';
import { signIn } from '../../support/console-person.ts';
import { useSharedStack } from '../../support/stack.ts';
import { until } from '../../support/until.ts';

describe('The use of an API token', () => {
  const stack = useSharedStack();

  it('is counted for each authenticated call, whatever its response, and for no other token', async () => {
    const { organizationId, token, tokenId, api } = await stack().stranger();
    const other = await createToken(stack().db, { organizationId, name: 'unused' });
    const { cookies } = await signIn({ ...stack(), organizationId });
    const kept = async (id: string): Promise<ApiToken> => {
      const answer = await fetch(new URL('/console/api/tokens', stack().apiUrl), {
        headers: { cookie: cookies },
      });
      const { data } = z.object({ data: z.array(apiToken) }).parse(await answer.json());
      const found = data.find((row) => row.id === id);
      assert.ok(found);
      return found;
    };
    const { call_count: before } = await kept(tokenId);
    const begun = Date.now();
    const calls = [
      () => api.call('GET', '/agents'),
      () => api.call('GET', `/agents/${crypto.randomUUID()}`),
      () => api.call('POST', '/agents', { body: { wrong: true } }),
    ];
    for (const call of calls) await call();
    const last = Date.now();
    // Not authenticated: no call of any token.
    for (const wrong of [`${token}x`, 'pk_0', ''])
      assert.equal((await api.call('GET', '/agents', { token: wrong })).status, 401);
    const after = before + calls.length;
    await until('the calls to be written', async () => (await kept(tokenId)).call_count >= after);
    const used = await kept(tokenId);
    assert.equal(used.call_count, after);
    const at = Date.parse(used.last_used_at ?? '');
    assert.ok(at >= begun - 1000 && at <= last + 1000, used.last_used_at ?? 'never');
    const unused = await kept(other.id);
    assert.deepEqual([unused.call_count, unused.last_used_at], [0, null]);
  });
});
