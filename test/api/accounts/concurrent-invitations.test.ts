/** Invitations that are accepted at once at two API processes, each of which checks one password at a time. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { CreatedInvitation } from '../../../src/contract/accounts/invitations.ts';
import { signIn } from '../../support/console-person.ts';
import { useStack } from '../../support/stack.ts';

describe('Invitations that are accepted at once', () => {
  const stack = useStack({ apis: 2, workers: 0 });

  it('of several organizations for one new email make one account, which joins each', async () => {
    const inviters = await Promise.all(
      [1, 2, 3].map(async () => await signIn({ ...stack(), ...(await stack().stranger()) })),
    );
    const accepted = async (passwords: readonly string[]) => {
      const email = `${randomUUID()}@example.com`;
      const links = await Promise.all(
        inviters.map(
          async (one) =>
            ((await one.call('POST', '/invitations', { email, role_id: 'admin' })).body as CreatedInvitation)
              .link,
        ),
      );
      const answers = links.map(async (link, at) => {
        const form = { token: new URL(link ?? '').hash.slice(1), password: passwords[at] };
        const answer = await fetch(`${new URL(stack().apiUrl).origin}/console/api/invitation/accept`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', connection: 'close' },
          body: JSON.stringify(form),
        });
        return answer.status;
      });
      return (await Promise.all(answers)).sort();
    };
    for (let round = 0; round < 3; round++) {
      const same = 'one long password';
      assert.deepEqual(await accepted([same, same, same]), [204, 204, 204]);
    }
    const others = ['first long password', 'second long password', 'third long password'];
    assert.deepEqual(await accepted(others), [204, 422, 422]);
  });
});
