/** The least that one long-lived workflow a conversation can be: fed by signals, two activities a turn. */
import {
  condition,
  continueAsNew,
  defineSignal,
  proxyActivities,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { BareActivities, BareMessage } from './worker.ts';

const { answer } = proxyActivities<BareActivities>({
  startToCloseTimeout: '30 seconds',
  retry: { maximumAttempts: 5 },
});
const { callback } = proxyActivities<BareActivities>({
  startToCloseTimeout: '20 seconds',
  retry: { maximumAttempts: 1 },
});

export async function bareConversation(id: string, waiting: BareMessage[] = []): Promise<void> {
  setHandler(defineSignal<[BareMessage]>('message'), (message) => {
    waiting.push(message);
  });
  while (!workflowInfo().continueAsNewSuggested) {
    await condition(() => waiting.length > 0);
    const next = waiting.shift();
    if (next === undefined) continue;
    const response = await answer(id, next.turn, next.message);
    await callback(next.webhook, { event: 'message.completed', conversation_id: id, response }).catch(
      () => undefined,
    );
  }
  await continueAsNew<typeof bareConversation>(id, waiting);
}
