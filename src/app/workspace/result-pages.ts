/** Splits long results of actions into pages, and offers models a tool that reads them page by page. */
import { z } from 'zod';
import type { ToolDefinition } from '../../adapters/models/model.ts';
import { findToolExecution } from '../../adapters/postgres/workspace/tool-executions.ts';
import type { Database } from '../../adapters/postgres/database.ts';
import { listToolConnections } from '../../adapters/postgres/workspace/tool-connections.ts';
import { connectionsOfAgent } from '../../domain/workspace/choose-connection.ts';
import type { ToolCallContext, ToolResult } from './tool-box.ts';

/** Maximum UTF-16 units of a page, about 6,000 tokens. Chosen. */
export const pageChars = 24_000;

export const readToolResult: ToolDefinition = {
  name: 'READ_TOOL_RESULT',
  description:
    'Reads a page of a tool result that was too long to be shown at once. The first page of the result names its result_ref.',
  inputSchema: {
    type: 'object',
    properties: {
      result_ref: { type: 'string', description: 'The result_ref that the first page names.' },
      page: { type: 'integer', minimum: 1, description: 'Number of the page, from 1.' },
    },
    required: ['result_ref', 'page'],
    additionalProperties: false,
  },
};

const input = z.object({ result_ref: z.uuid(), page: z.coerce.number().int().min(1) });

/**
 * Splits a text into pages of at most `pageChars`, never within a surrogate pair.
 * @returns the pages; one empty page for an empty text
 */
export function pagesOf(text: string): string[] {
  const pages: string[] = [];
  for (let at = 0; at < text.length || pages.length === 0;) {
    let end = Math.min(at + pageChars, text.length);
    if (end < text.length && /[\uD800-\uDBFF]/.test(text.charAt(end - 1))) end -= 1;
    pages.push(text.slice(at, end));
    at = end;
    if (text.length === 0) break;
  }
  return pages;
}

/**
 * Formats a page of a result for the model.
 * @param ref id of the execution that has the result
 * @param page number of the page, from 1
 * @returns the whole text if it has only one page; otherwise the page, after a note that states the number of pages
 * and how to read the next one
 */
export function shownPage(ref: string, text: string, page = 1): string {
  const pages = pagesOf(text);
  if (pages.length === 1) return text;
  const place = `Result ${ref}, page ${page} of ${pages.length}, ${text.length} characters in all.`;
  const next =
    page < pages.length
      ? ` Read on with ${readToolResult.name} {"result_ref":"${ref}","page":${page + 1}}.`
      : ' This is the last page.';
  return `[${place}${next}]\n${pages[page - 1] ?? ''}`;
}

/**
 * Reads a page of a tool result. The result must belong to this conversation and to a workspace that the agent may use
 * now.
 * @param given the input of the model's call
 * @returns the page; an error for the model if the input is invalid, or if there is no such result or page
 */
export async function readResultPage(
  db: Database,
  given: unknown,
  {
    organizationId,
    conversationId,
    connections,
  }: Pick<ToolCallContext, 'organizationId' | 'conversationId' | 'connections'>,
): Promise<ToolResult> {
  const parsed = input.safeParse(given);
  if (!parsed.success)
    return {
      successful: false,
      text: 'Error: give result_ref, as the first page says it, and page, from 1.',
    };
  const { result_ref, page } = parsed.data;
  const execution = await findToolExecution(db, result_ref);
  const isHere =
    execution?.organization_id === organizationId && execution.conversation_id === conversationId;
  const allowed = isHere
    ? connectionsOfAgent(await listToolConnections(db, organizationId), connections)
    : [];
  if (!isHere || !allowed.some(({ id }) => id === execution.connection_id))
    return { successful: false, text: `Error: there is no result ${result_ref} in this conversation.` };
  const count = pagesOf(execution.data ?? '').length;
  if (page > count) return { successful: false, text: `Error: the result has ${count} pages.` };
  return { successful: true, text: shownPage(result_ref, execution.data ?? '', page) };
}
