/** Selects operations of an OpenAPI document, and names the tools to create from them. */
import type { HttpEffect, OpenapiOperations } from '../../../contract/http-tools/http-tools.ts';
import { maxOpenapiChars } from '../../../contract/http-tools/limits.ts';

export type Operation = OpenapiOperations['operations'][number];

/** Name and effect of the tool to create for each selected operation, by the operation's index in the list. */
export type Choices = ReadonlyMap<number, { name: string; effect: HttpEffect }>;

/** Maximum bytes of a file to read. More than `maxOpenapiChars`, because `shortened` removes indentation. Chosen. */
export const maxFileBytes = 4 * 1024 * 1024;

/** @returns a JSON object longer than `maxOpenapiChars` without its indentation; any other document unchanged */
export function shortened(document: string): string {
  if (document.length <= maxOpenapiChars || !document.trimStart().startsWith('{')) return document;
  try {
    return JSON.stringify(JSON.parse(document));
  } catch {
    return document;
  }
}

/**
 * @param taken names that are not free, ignoring case
 * @returns the wanted name if it is free; otherwise its first 60 characters, an underscore, and the first number from 2
 * that makes the name free
 */
export function freeName(wanted: string, taken: Iterable<string>): string {
  const known = new Set([...taken].map((name) => name.toLowerCase()));
  for (let n = 1; ; n += 1) {
    const name = n === 1 ? wanted : `${wanted.slice(0, 60)}_${String(n)}`;
    if (!known.has(name.toLowerCase())) return name;
  }
}

/** @returns the indexes of the operations whose method, path or summary contains the text, ignoring case */
export function matching(operations: readonly Operation[], search: string): number[] {
  const wanted = search.trim().toLowerCase();
  return operations.flatMap(({ method, path, summary }, index) =>
    `${method} ${path} ${summary}`.toLowerCase().includes(wanted) ? [index] : [],
  );
}

/**
 * Returns the choices after the operations at `indexes` are selected or, if `chosen` is false, deselected. Ignores
 * operations that cannot become a tool. Gives each newly selected operation a free name.
 */
export function choose(
  choices: Choices,
  given: { operations: readonly Operation[]; indexes: readonly number[]; chosen: boolean; taken: string[] },
): Choices {
  const after = new Map(choices);
  for (const index of given.indexes) {
    const tool = given.operations[index]?.tool;
    if (!given.chosen) after.delete(index);
    else if (tool != null && !after.has(index)) {
      const names = [...given.taken, ...[...after.values()].map(({ name }) => name)];
      after.set(index, { name: freeName(tool.name, names), effect: tool.effect });
    }
  }
  return after;
}
