/** Limits the nesting and size of a JSON value before a schema validates it, because schemas validate recursively. */
const maxLevels = 40;
const defaultMostKeys = 2000;

/**
 * Checks nesting and size. Iterative, so that a hostile body cannot overflow the stack.
 * @returns an error message for the sender; undefined if the value is within the limits
 */
export function shapeProblem(value: unknown, maxKeys = defaultMostKeys): string | undefined {
  let keys = 0;
  let level: object[] = isNested(value) ? [value] : [];
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > maxLevels) return `must be at most ${maxLevels} levels deep`;
    const next: object[] = [];
    for (const node of level) {
      const children: unknown[] = Array.isArray(node) ? node : Object.values<unknown>({ ...node });
      keys += children.length;
      if (keys > maxKeys) return `must have at most ${maxKeys} fields and elements in all`;
      for (const child of children) if (isNested(child)) next.push(child);
    }
    level = next;
  }
  return undefined;
}

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
