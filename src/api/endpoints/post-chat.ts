import { z } from 'zod';
import { findAnswer } from '../../adapters/db/run-answers.ts';
import { rememberCallAnswer, type AcceptedInput } from '../../adapters/db/inputs.ts';
import {
  acknowledgement,
  chatAnswer,
  chatRequest,
  type Acknowledgement,
  type ChatAnswer,
} from '../../contract/chat.ts';
import { errorBody, PublicError, type ErrorBody } from '../../contract/errors.ts';
import type { ApiDeps } from '../deps.ts';
import { defineEndpoint } from '../endpoint.ts';

const mebibyte = 1024 * 1024;
const withContent = z.looseObject({
  attachments: z.array(z.looseObject({ content_base64: z.string() })).min(1),
});
/** A repeat can find that the first call was taken back; then it is a first call itself. */
const tries = 3;

export const postChat = defineEndpoint({
  method: 'post',
  path: '/chat/{id}',
  tag: 'Chat',
  summary: 'Send a message to an agent or an API inbox',
  description:
    'Asynchronous: 202 once the message is durable; the answer lands in the history and, with webhook_url, is posted there. Synchronous: the answer comes back in this call.',
  params: z.object({ id: z.uuid().describe("An agent's identifier, or an API inbox's") }),
  body: chatRequest,
  bodyLimit: (body) => (withContent.safeParse(body).success ? 16 : 1) * mebibyte,
  takesIdempotencyKey: true,
  answers: { 200: chatAnswer, 202: acknowledgement, 502: errorBody, 504: errorBody },
  errors: ['not_found', 'agent_inactive', 'idempotency_conflict'],
  handle: async ({ params, body, organizationId, tokenId, idempotencyKey, bodyHash }, deps) => {
    const input = {
      organizationId,
      targetId: params.id,
      conversationId: body.conversation_id,
      contact: body.contact,
      text: body.message ?? '',
      sync: body.sync,
      webhookUrl: body.webhook_url,
      metadata: body.metadata,
      attachments: body.attachments,
      ...(idempotencyKey !== undefined && {
        idempotency: {
          tokenId,
          path: `/chat/${params.id.toLowerCase()}`,
          key: idempotencyKey,
          requestHash: bodyHash,
        },
      }),
    };
    for (let left = tries; left > 0; left--) {
      const accepted = await deps.conversations.accept(input);
      const answer = body.sync ? await awaitAnswer(accepted, deps) : acknowledge(accepted);
      if (idempotencyKey === undefined) return answer;
      const kept = await rememberCallAnswer(deps.db, accepted.message_id, answer.status, answer.body);
      if (kept !== undefined) return keptAnswer.parse(kept);
    }
    throw new PublicError('unavailable', { retryAfterSeconds: 1 });
  },
});

type ChatResult =
  | { status: 200; body: ChatAnswer }
  | { status: 202; body: Acknowledgement }
  | { status: 502 | 504; body: ErrorBody };

const keptAnswer = z.discriminatedUnion('status', [
  z.object({ status: z.literal(200), body: chatAnswer }),
  z.object({ status: z.literal(202), body: acknowledgement }),
  z.object({ status: z.literal([502, 504]), body: errorBody }),
]);

function acknowledge(accepted: AcceptedInput): ChatResult {
  const { conversation_id, debounced, run_id } = accepted;
  const body = debounced
    ? { status: 'debounced' as const, conversation_id, group_id: run_id }
    : { status: 'processing' as const, conversation_id };
  return { status: 202, body };
}

async function awaitAnswer(accepted: AcceptedInput, deps: ApiDeps): Promise<ChatResult> {
  const { conversation_id: conversationId, run_id: runId } = accepted;
  const ended = await deps.answers.waitFor(runId, deps.config.SYNC_TIMEOUT_SECONDS * 1000);
  const found = ended ? await findAnswer(deps.db, conversationId, runId) : undefined;
  if (found === undefined) {
    return { status: 504, body: new PublicError('sync_timeout', { conversationId }).body };
  }
  if ('failed' in found) {
    return {
      status: 502,
      body: new PublicError('agent_failed', { sentence: found.failed, conversationId }).body,
    };
  }
  return { status: 200, body: found.answer };
}
