/** Reads an OpenAPI document in a thread of its own, bounded in time and memory, so that other calls do not wait. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { z } from 'zod';
import { invalidField, PublicError } from '../../contract/errors.ts';
import {
  openapiOperations,
  type OpenapiOperations,
  type ReadOpenapi,
} from '../../contract/http-tools/http-tools.ts';
import { Limiter } from '../../limits/limiter.ts';

/** Maximum time for one document. Chosen: one of 900,000 characters takes about a second. */
const maxMs = 15_000;
const maxOldGenerationSizeMb = 256;
const threads = new Limiter({ max: 2, maxPerOwner: 1 });

const answered = z.union([
  z.object({ operations: openapiOperations }),
  z.object({ problem: z.string(), field: z.enum(['document', 'base_url']) }),
]);

/**
 * Reads the operations of a document as tools to create.
 * @throws PublicError validation_failed if it is not OpenAPI 3 or takes too long; rate_limited if other documents are
 * being read
 */
export async function readOpenapiDocument(
  organizationId: string,
  form: ReadOpenapi,
): Promise<OpenapiOperations> {
  const free = threads.tryHold(organizationId);
  if (free === undefined) {
    const sentence = 'Another document is being read. Try again in a moment.';
    throw new PublicError('rate_limited', { sentence });
  }
  const thread = new Worker(new URL('./openapi-thread.ts', import.meta.url), {
    workerData: form,
    resourceLimits: { maxOldGenerationSizeMb },
    env: {},
  });
  try {
    const messages: unknown[] = await once(thread, 'message', { signal: AbortSignal.timeout(maxMs) });
    const answer = answered.parse(messages[0]);
    if ('problem' in answer) throw invalidField(answer.field, answer.problem);
    return answer.operations;
  } catch (error) {
    if (error instanceof PublicError) throw error;
    throw invalidField('document', 'could not be read: it is too large or too complex');
  } finally {
    await thread.terminate();
    free();
  }
}
