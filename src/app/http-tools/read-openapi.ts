/** Reads an OpenAPI document in a separate thread with limited time and memory. */
import { z } from 'zod';
import { invalidField } from '../../contract/errors.ts';
import {
  openapiOperations,
  type OpenapiOperations,
  type ReadOpenapi,
} from '../../contract/http-tools/http-tools.ts';
import { inBoundedThread } from '../in-bounded-thread.ts';

const answered = z.union([
  z.object({ operations: openapiOperations }),
  z.object({ problem: z.string(), field: z.enum(['document', 'base_url']) }),
]);

/**
 * Converts the operations of a document to definitions of HTTP tools (see `readOperations`).
 * @throws PublicError validation_failed if the document or the base URL cannot be used, or if reading takes too much
 * time or memory; rate_limited if too many calls of the organization wait for a thread, or this call waits too long
 */
export async function readOpenapiDocument(
  organizationId: string,
  form: ReadOpenapi,
): Promise<OpenapiOperations> {
  const file = new URL('./openapi-thread.ts', import.meta.url);
  const answer = answered.parse(
    await inBoundedThread(organizationId, file, form, () =>
      invalidField('document', 'could not be read: it is too large or too complex'),
    ),
  );
  if ('problem' in answer) throw invalidField(answer.field, answer.problem);
  return answer.operations;
}
