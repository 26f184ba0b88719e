/** An operator's reset replays a workflow from its beginning: nothing that was sent once is sent again. */
import assert from 'node:assert/strict';
import { conversationWorkflowId } from '../../src/contract/workflows.ts';
import { resetWorkflow } from '../support/reset-workflow.ts';
import { useSharedStack } from '../support/stack.ts';
import { until } from '../support/until.ts';

type MessageIds = (string | undefined)[];

describe("An operator's reset of 20 conversations", () => {
  const stack = useSharedStack();

  it('sends no callback twice, and the conversations continue', async () => {
    const { api, receiver, temporal } = stack();
    const destination = await api.createAgent({ script: [{ reply: 'I have taken over.' }] });
    const talking = await api.createAgent({ script: [{ reply: 'Hello.' }] });
    const transferring = await api.createAgent({
      script: [{ reply: 'One moment.', transfer_to: destination.name }],
      transfers_to: [destination.id],
    });
    const conversations = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const target = index % 2 === 0 ? talking : transferring;
        const path = `/reset/${target.id}/${index}`;
        const callbacks = index % 2 === 0 ? 1 : 2;
        // Every other callback is being answered when the reset comes.
        if (index % 4 < 2) receiver.behave(path, { delayMs: 4000 });
        const { conversation_id: id } = await api.send(target.id, {
          message: 'Hi',
          webhook_url: receiver.url(path),
        });
        const to: 'first' | 'last' = index % 8 < 4 ? 'first' : 'last';
        return { id, target: target.id, path, callbacks, to, workflowId: conversationWorkflowId(id) };
      }),
    );
    const doing = async (workflowId: string) =>
      (await temporal.client.workflow.getHandle(workflowId).query<{ doing: string }>('status')).doing;
    await Promise.all(
      conversations.map(({ workflowId }) =>
        until('a callback to be under way or over', async () =>
          /^(posting|waiting for the user)/.test(await doing(workflowId)),
        ),
      ),
    );

    const replaced = await Promise.all(
      conversations.map(({ workflowId, to }) =>
        resetWorkflow(temporal.client, temporal.namespace, workflowId, to),
      ),
    );
    assert.equal(new Set(replaced).size, 20);

    for (const { path } of conversations) receiver.behave(path, {});
    await Promise.all(
      conversations.map(({ id, path, target }) =>
        api.send(target, { conversation_id: id, message: 'And now?', webhook_url: receiver.url(path) }),
      ),
    );
    for (const { id, path, callbacks, workflowId } of conversations) {
      await receiver.waitFor(path, callbacks + 1, 60_000);
      await api.settled(id, callbacks + 1);
      await until('nothing to be under way', async () => {
        const deliveries = await api.deliveries({ conversation_id: id });
        return deliveries.length === callbacks + 1 && deliveries.every((one) => one.status === 'delivered');
      });
      // The reset workflow has itself come to the end of what there was to do.
      await until('the workflow to wait for the user', async () =>
        (await doing(workflowId)).startsWith('waiting for the user'),
      );
      const heard = receiver
        .requestsTo(path)
        .map(({ body }) => (JSON.parse(body) as { message_id?: string }).message_id);
      const said: MessageIds = (await api.messages(id))
        .filter((one) => one.role === 'agent')
        .map((one) => one.id);
      assert.deepEqual(heard, said, `conversation ${id}: each message once, in their order`);
    }
  });
});
