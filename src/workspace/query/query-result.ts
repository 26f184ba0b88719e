/** The result of a query: rows, and whether there are more. */
import type { z } from 'zod';
import type { pageList } from '../client/answers.ts';
import type { JsonObject } from '../../contract/workspace/actions.ts';
import { listResult } from '../compact.ts';
import type { RunContext } from '../context.ts';
import { truncatedProperties } from '../pages/page-fields.ts';

export function queryResult(context: RunContext, answer: z.infer<typeof pageList>): JsonObject {
  const incomplete = answer.request_status?.type === 'incomplete';
  if (incomplete)
    context.warn(
      'The workspace stops at 10,000 results for one filter and sort: there are more. Narrow the filter, for example by created_time.',
    );
  const cut = answer.results.some((row) => row.object === 'page' && truncatedProperties(row).length > 0);
  if (cut)
    context.warn(
      'Some properties show only their first 25 references: read them with DOCS_GET_PAGE_PROPERTY_ACTION.',
    );
  const results = answer.results.map((row) => (row.object === 'other' ? row.given : row));
  return { ...listResult({ ...answer, results }), ...(incomplete ? { incomplete: true } : {}) };
}
