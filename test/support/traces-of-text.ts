/** Looks for texts wherever an installation could still hold them. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isGrpcServiceError, WorkflowNotFoundError } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import type { Stack } from './stack.ts';

/** Returns a text in the forms that rows, files and encoded columns may have. */
function formsOf(text: string): string[] {
  const bytes = Buffer.from(text);
  return [text, bytes.toString('hex'), bytes.toString('base64').replace(/=+$/, '').slice(0, -2)];
}

/** @returns `table: text` for each table that has a row with it, as a dump would show it */
export async function tablesWith({ db }: Stack, texts: readonly string[]): Promise<string[]> {
  const { rows: tables } = await db.pool.query<{ relname: string }>(
    `select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`,
  );
  const found: string[] = [];
  for (const { relname } of tables) {
    for (const text of texts) {
      const { rows } = await db.pool.query<{ found: boolean }>(
        `select exists (select from ${relname} t where t::text like any($1)) as found`,
        [formsOf(text).map((form) => `%${form}%`)],
      );
      if (rows[0]?.found === true) found.push(`${relname}: ${text}`);
    }
  }
  return found;
}

/** Values that the planner has sampled, which no dump shows. */
export async function samplesWith({ db }: Stack, texts: readonly string[]): Promise<number> {
  const { rows } = await db.pool.query<{ count: number }>(
    'select count(*)::int as count from pg_stats s where s::text like any($1)',
    [texts.map((text) => `%${text}%`)],
  );
  return rows[0]?.count ?? -1;
}

/** @returns the files below a folder with one of the texts in them */
export function filesWith(
  folder: string,
  texts: readonly string[],
  leaveOut: readonly string[] = [],
): string[] {
  const forms = texts.flatMap(formsOf).map((form) => Buffer.from(form));
  const found: string[] = [];
  const walk = (path: string): void => {
    if (leaveOut.includes(basename(path))) return;
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats?.isDirectory() === true) for (const name of readdirSync(path)) walk(join(path, name));
    else if (stats?.isFile() === true) {
      const content = readFileSync(path);
      if (forms.some((form) => content.includes(form))) found.push(path);
    }
  };
  walk(folder);
  return found;
}

/**
 * @returns `all`: the workflows that this query finds and that are not deleted; `withText`: those of them whose history
 * or description has one of the texts
 */
export async function workflowsWith(
  { temporal: { client } }: Stack,
  query: string,
  texts: readonly string[],
): Promise<{ all: string[]; withText: string[] }> {
  const all: string[] = [];
  const withText: string[] = [];
  for await (const { workflowId, runId } of client.workflow.list({ query })) {
    const handle = client.workflow.getHandle(workflowId, runId);
    const told = await Promise.all([handle.fetchHistory(), handle.describe()]).catch(orGone);
    if (told === 'gone') continue;
    const [history, description] = told;
    const kept = historyToJSON(history) + JSON.stringify(description.raw);
    all.push(workflowId);
    if (texts.flatMap(formsOf).some((form) => kept.includes(form))) withText.push(workflowId);
  }
  return { all, withText };
}

const notFound = 5;

/** A workflow stays in the list for a moment after it was deleted. @throws any other error */
function orGone(error: unknown): 'gone' {
  if (error instanceof WorkflowNotFoundError) return 'gone';
  const code: number | undefined = isGrpcServiceError(error) ? error.code : undefined;
  if (code === notFound) return 'gone';
  throw error;
}
