/** A call whose body arrives after its token was revoked, or after its member was removed, changes nothing. */
import assert from 'node:assert/strict';
import { request } from 'node:http';
import { createToken, revokeToken } from '../../src/adapters/postgres/accounts/tokens.ts';
import { makePerson, signIn, signInAs } from '../support/console-person.ts';
import { useSharedStack } from '../support/stack.ts';
import { until } from '../support/until.ts';

/** Sends all of a body but its last byte. @returns sends that too, and waits for the status */
function holdBody(url: string, headers: Record<string, string>, body: object): () => Promise<number> {
  const text = JSON.stringify(body);
  const length = String(Buffer.byteLength(text));
  const call = request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-length': length, ...headers },
  });
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  call.on('error', reject).on('response', (response) => {
    response.resume();
    resolve(response.statusCode ?? 0);
  });
  call.write(text.slice(0, -1));
  return () => {
    call.end(text.slice(-1));
    return promise;
  };
}

describe('A call whose body is held back', () => {
  const stack = useSharedStack();

  for (const [path, body] of [
    ['/agents', { name: 'late' }],
    ['/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }],
  ] as const) {
    it(`is refused if its token is revoked meanwhile: POST /v1${path}`, async () => {
      const { db, api, apiUrl } = stack();
      const { organizationId, api: owner } = await stack().stranger();
      const { id, token } = await createToken(db, { organizationId, name: 'revoked soon' });
      const works = async () => (await api.call('GET', '/agents', { token })).status === 200;
      const headers = { authorization: `Bearer ${token}`, accept: 'application/json, text/event-stream' };
      const finish = holdBody(`${apiUrl}${path}`, headers, body);
      assert.ok(await works());
      await revokeToken(db, id);
      await until('the token to end', async () => !(await works()));
      assert.equal(await finish(), 401);
      assert.deepEqual((await owner.call('GET', '/agents')).body, { data: [], next_cursor: null });
    });
  }

  it('creates no token for a member who was removed meanwhile', async () => {
    const administrator = await signIn(stack());
    const person = await makePerson(stack(), ['tokens.view', 'tokens.create']);
    const leaving = await signInAs(stack(), person);
    const { body } = await administrator.call('GET', '/members');
    const members = (body as { data: { id: string; email: string }[] }).data;
    const id = members.find(({ email }) => email === person.email)?.id;
    const url = new URL('/console/api/tokens', stack().apiUrl).href;
    const finish = holdBody(url, { cookie: leaving.cookies }, { name: 'kept for later' });
    assert.equal((await leaving.call('GET', '/tokens')).status, 200);
    assert.equal((await administrator.call('DELETE', `/members/${id}?revoke_tokens=true`)).status, 204);
    assert.equal(await finish(), 401);
    const { data } = (await administrator.call('GET', '/tokens')).body as { data: { name: string }[] };
    assert.ok(!data.some(({ name }) => name === 'kept for later'));
  });
});
