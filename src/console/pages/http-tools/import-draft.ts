/** Selects operations of an OpenAPI document, and chooses names for the tools to create from them. */
import type { HttpEffect, OpenapiOperations } from '../../../contract/http-tools/http-tools.ts';
import { maxOpenapiChars } from '../../../contract/http-tools/limits.ts';

export type Operation = OpenapiOperations['operations'][number];

/** Name and effect of the tool for each selected operation, by the operation's index in the list. */
export type Choices = ReadonlyMap<number, { name: string; effect: HttpEffect }>;

/** Maximum bytes of a file to read: `maxOpenapiChars` with room for indentation, which `shortened` removes. Chosen. */
export const maxFileBytes = 4 * 1024 * 1024;

/** @returns the document; a JSON object longer than `maxOpenapiChars` is returned without its indentation */
export function shortened(document: string): string {
  if (document.length <= maxOpenapiChars || !document.trimStart().startsWith('{')) return document;
  try {
    return JSON.stringify(JSON.parse(document));
  } catch {
    return document;
  }
}

/** @returns the wanted name; if it is taken, ignoring case, its first 60 characters and a number that makes it free */
export function freeName(wanted: string, taken: Iterable<string>): string {
  const known = new Set([...taken].map((name) => name.toLowerCase()));
  for (let n = 1; ; n += 1) {
    const name = n === 1 ? wanted : `${wanted.slice(0, 60)}_${String(n)}`;
    if (!known.has(name.toLowerCase())) return name;
  }
}

/** Returns the indexes of the operations whose method, path or summary contains the text, ignoring case. */
export function matching(operations: readonly Operation[], search: string): number[] {
  const wanted = search.trim().toLowerCase();
  return operations.flatMap(({ method, path, summary }, index) =>
    `${method} ${path} ${summary}`.toLowerCase().includes(wanted) ? [index] : [],
  );
}

/**
 * Returns the choices after the operations at `indexes` are selected or deselected. Never selects an operation that
 * cannot become a tool. Gives each newly selected one a free name.
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
