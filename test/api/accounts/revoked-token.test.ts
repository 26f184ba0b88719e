/** A revocation reaches every API process within a second, also one that has just used the token. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { deleteToken, revokeToken } from '../../../src/adapters/postgres/accounts/tokens.ts';
import { freePort } from '../../../src/local/ports.ts';
import { ApiClient } from '../../support/api-client.ts';
import { backing } from '../../support/backing.ts';
import { startOwnProcess, type OwnProcess } from '../../support/own-process.ts';
import { useSharedStack } from '../../support/stack.ts';

describe('With a second API process', () => {
  const stack = useSharedStack();
  let second: OwnProcess;
  let url = '';

  before(async () => {
    const port = await freePort();
    url = `http://127.0.0.1:${port}/v1`;
    const log = join((await backing()).folder, 'second-api.log');
    second = await startOwnProcess('api', { ...stack().env, PORT: String(port) }, log);
  });
  after(() => second.kill());

  for (const [title, end] of [
    ['revoked', revokeToken],
    ['deleted', deleteToken],
  ] as const) {
    it(`both refuse a ${title} token a second later`, async () => {
      const { token, tokenId } = await stack().stranger();
      const clients = [stack().apiUrl, url].map((base) => new ApiClient(base, token));
      const statuses = async () =>
        await Promise.all(clients.map(async (api) => (await api.call('GET', '/agents')).status));
      assert.deepEqual(await statuses(), [200, 200]);
      await end(stack().db, tokenId);
      await delay(1000); // the time that the contract gives
      assert.deepEqual(await statuses(), [401, 401]);
    });
  }
});
