import { z } from 'zod';
import { PublicError } from '../../../contract/errors.ts';
import { runToolAction as runToolActionBody, toolActionResult } from '../../../contract/workspace/tools.ts';
import { tokenIdOf } from '../../caller.ts';
import { defineEndpoint } from '../../endpoint.ts';

const mebibyte = 1024 * 1024;

export const runToolAction = defineEndpoint({
  auth: 'token',
  method: 'post',
  path: '/tools/docs/actions/{action}',
  tag: 'Tools',
  summary: 'Run one action in a connected workspace',
  description:
    'Returns 200 also if the action failed: then `successful` is false and `error` gives the reason. A worker runs the action, which survives crashes. A call that waits too long gets 504 while the action continues; repeat it with the same Idempotency-Key to read the result.',
  params: z.object({ action: z.string().max(100).describe('An identifier of GET /tools/docs/actions') }),
  body: runToolActionBody,
  bodyLimit: (body) => (holdsFile(body) ? 28 : 1) * mebibyte,
  maxBodyBytes: 28 * mebibyte,
  // Enough for a request of a thousand blocks, each with annotated text.
  maxKeys: 50_000,
  takesIdempotencyKey: true,
  answers: { 200: toolActionResult },
  errors: ['not_found', 'invalid_state', 'idempotency_conflict', 'sync_timeout'],
  handle: async ({ params, body, caller, idempotencyKey, bodyHash }, { tools }, respond) => {
    if (!tools.definitions.some(({ action }) => action === params.action)) throw new PublicError('not_found');
    const tokenId = tokenIdOf(caller);
    const result = await tools.runner.run({
      organizationId: caller.organizationId,
      action: params.action,
      input: body.input,
      connectionId: body.connection_id,
      ...(idempotencyKey !== undefined &&
        tokenId !== undefined && {
          idempotency: { tokenId, key: idempotencyKey, requestHash: bodyHash },
        }),
    });
    return respond(200, result);
  },
});

const withFile = z.looseObject({ input: z.looseObject({ file_content_base64: z.string() }) });
const holdsFile = (body: unknown): boolean => withFile.safeParse(body).success;
