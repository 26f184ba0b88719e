/**
 * A callback that somebody sends again on purpose: a delivery of its own, marked, and attempted at most once itself.
 */
import assert from 'node:assert/strict';
import type { Delivery } from '../../../src/contract/conversations/conversations.ts';
import { maxResends, type ResentDelivery } from '../../../src/contract/conversations/webhook-endpoints.ts';
import type { ApiClient } from '../../support/api-client.ts';
import { signIn } from '../../support/console-person.ts';
import type { Received } from '../../support/receiver.ts';
import { useStack } from '../../support/stack.ts';
import { until } from '../../support/until.ts';

const header = ({ rawHeaders }: Received, name: string) =>
  rawHeaders.find(([one]) => one.toLowerCase() === name)?.[1];

describe('A callback that is sent again on purpose', () => {
  const stack = useStack({ workers: 1, env: { CALLBACK_TIMEOUT_SECONDS: '10' } });

  const ended = async (api: ApiClient, conversationId: string, id?: string): Promise<Delivery> =>
    await until('the outcome', async () =>
      (await api.deliveries({ conversation_id: conversationId })).find(
        (one) =>
          (id === undefined ? one.resend_of === undefined : one.id === id) &&
          !/pending|attempting/.test(one.status),
      ),
    );
  const resend = async (api: ApiClient, id: string): Promise<ResentDelivery> => {
    const answer = await api.call('POST', `/deliveries/${id}/resend`);
    assert.equal(answer.status, 202, JSON.stringify(answer.body));
    return answer.body as ResentDelivery;
  };
  const called = async (api: ApiClient, path: string, script: unknown[] = [{ reply: 'x' }]) => {
    const agent = await api.createAgent({ script });
    const webhook_url = path.includes(':') ? path : stack().receiver.url(path);
    const { conversation_id } = await api.send(agent.id, {
      ...{ message: 'a', webhook_url, metadata: { order: 17 } },
    });
    return { conversation_id, delivery: await ended(api, conversation_id) };
  };

  it('has an id of its own, names the first delivery, and has the same body; the first one stays as it was', async () => {
    const { receiver, db } = stack();
    const { api, organizationId } = await stack().stranger();
    receiver.behave('/down', { status: 503 });
    const { conversation_id, delivery: first } = await called(api, '/down');
    assert.equal(first.status, 'failed');
    receiver.behave('/down', { status: 200 });
    const made = await resend(api, first.id);
    assert.notEqual(made.id, first.id);
    const again = await ended(api, conversation_id, made.id);
    assert.deepEqual(
      [again.status, again.resend_of, again.message_id],
      ['delivered', first.id, first.message_id],
    );
    const requests = receiver.requestsTo('/down');
    assert.equal(requests.length, 2);
    assert.equal(requests[1]?.body, requests[0]?.body);
    assert.deepEqual(
      requests.map((one) => header(one, 'parley-resend-of')),
      [undefined, first.id],
    );
    assert.deepEqual(await ended(api, conversation_id), first);
    const [, answer] = await api.messages(conversation_id);
    assert.ok(answer?.role === 'agent');
    assert.deepEqual(answer.delivery, { status: 'failed', attempted_at: first.attempted_at });
    const audited = await db
      .knex<{ id: string; organization_id: string; action: string; target: string }>('audit_log')
      .where({ organization_id: organizationId, action: 'callback_resent' });
    assert.deepEqual(
      audited.map(({ target }) => target),
      [`${first.id} as ${made.id}`],
    );
  });

  it('a blocked callback and one of a failed run are built then, as they would have been', async () => {
    const { db, receiver } = stack();
    const { api } = await stack().stranger();
    const { conversation_id, delivery } = await called(api, 'http://10.0.0.1/blocked');
    assert.equal(delivery.status, 'blocked');
    await db
      .knex('deliveries')
      .where({ id: delivery.id })
      .update({ url: receiver.url('/unblocked') });
    const { id } = await resend(api, delivery.id);
    assert.equal((await ended(api, conversation_id, id)).status, 'delivered');
    const [payload] = await receiver.callbacks('/unblocked', 1);
    assert.ok(payload?.event === 'message.completed');
    assert.deepEqual([payload.message_id, payload.metadata], [delivery.message_id, { order: 17 }]);

    const fail = { message: 'The shop is closed.', retryable: false };
    const failed = await called(api, '/failed-run', [{ fail }]);
    const made = await resend(api, failed.delivery.id);
    assert.equal((await ended(api, failed.conversation_id, made.id)).status, 'delivered');
    const errors = receiver.requestsTo('/failed-run').map(({ body }) => body);
    assert.deepEqual([errors.length, errors[0]], [2, errors[1]]);
    // The run's outcome has one delivery still.
    assert.equal((await api.messages(failed.conversation_id)).length, 1);
  });

  it('conversations continue after it', async () => {
    const { receiver } = stack();
    const { api } = await stack().stranger();
    const { conversation_id, delivery } = await called(api, '/continued');
    const { target_id } = (await api.call('GET', `/conversations/${conversation_id}`)).body as {
      target_id: string;
    };
    await resend(api, delivery.id);
    await api.send(target_id, { message: 'b', conversation_id, webhook_url: receiver.url('/continued') });
    const messages = await api.settled(conversation_id, 2);
    assert.equal(messages.length, 4);
    assert.equal((await receiver.waitFor('/continued', 3)).length, 3);
  });

  it('is refused while one is in progress, after the maximum, for a replaced answer, and to others', async () => {
    const { receiver } = stack();
    const { api } = await stack().stranger();
    const { conversation_id, delivery } = await called(api, '/bounded');
    // Answered once the other calls were refused: one that came later would send it a second time.
    const { promise: refusals, resolve: refusedAll } = Promise.withResolvers<undefined>();
    receiver.behave('/bounded', { until: refusals });
    const post = () => api.call('POST', `/deliveries/${delivery.id}/resend`);
    const atOnce = await Promise.all(Array.from({ length: 8 }, post));
    refusedAll(undefined);
    assert.deepEqual(
      atOnce.map(({ status }) => status).toSorted((a, b) => a - b),
      [202, 409, 409, 409, 409, 409, 409, 409],
    );
    receiver.behave('/bounded', {});
    let last = (atOnce.find(({ status }) => status === 202)?.body as ResentDelivery).id;
    for (let sent = 1; sent < maxResends; sent += 1) {
      await ended(api, conversation_id, last);
      // A re-send of a re-send counts as one of the first delivery.
      const made = await resend(api, last);
      assert.equal(made.resend_of, delivery.id);
      last = made.id;
    }
    await ended(api, conversation_id, last);
    const refused = await api.refused(409, 'POST', `/deliveries/${delivery.id}/resend`);
    assert.match(refused.error, /maximum/);
    assert.equal(receiver.requestsTo('/bounded').length, 1 + maxResends);

    const replaced = await called(api, '/replaced');
    await api.call('POST', `/conversations/${replaced.conversation_id}/regenerate`, { body: { sync: true } });
    const why = await api.refused(409, 'POST', `/deliveries/${replaced.delivery.id}/resend`);
    assert.match(why.error, /replaced/);

    const other = (await stack().stranger()).api;
    await other.refused(404, 'POST', `/deliveries/${replaced.delivery.id}/resend`);
    const reader = await signIn(stack(), ['deliveries.view', 'conversations.take_over']);
    assert.equal((await reader.call('POST', `/deliveries/${delivery.id}/resend`)).status, 403);
  });

  it('a worker killed during it leaves it `unknown`: no process posts it a second time, and the first stays as it was', async () => {
    const { receiver, worker } = stack();
    const { api } = await stack().stranger();
    receiver.behave('/killed', { status: 500 });
    const { conversation_id, delivery: first } = await called(api, '/killed');
    receiver.behave('/killed', { hang: true });
    const { id } = await resend(api, first.id);
    await receiver.waitFor('/killed', 2);
    await worker.kill();
    receiver.behave('/killed', {});
    await worker.start();
    const again = await ended(api, conversation_id, id);
    assert.equal(again.status, 'unknown');
    // The conversation works, so nothing of the re-send is left that could be posted.
    const { target_id } = (await api.call('GET', `/conversations/${conversation_id}`)).body as {
      target_id: string;
    };
    await api.send(target_id, { message: 'b', conversation_id });
    await api.settled(conversation_id, 2, 60_000);
    assert.equal(receiver.requestsTo('/killed').length, 2);
    assert.deepEqual(await ended(api, conversation_id), first);
    // An unknown one can be sent again, and stays unknown.
    const third = await resend(api, id);
    assert.equal((await ended(api, conversation_id, third.id)).status, 'delivered');
    assert.equal((await ended(api, conversation_id, id)).status, 'unknown');
    assert.equal(receiver.requestsTo('/killed').length, 3);
  });
});
