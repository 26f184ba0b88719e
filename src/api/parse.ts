/** Request parts → what their schema says, or the error that names each path. */
import type { z } from 'zod';
import { PublicError, type ErrorDetail } from '../contract/errors.ts';

const maxDepth = 40;

/** @throws PublicError validation_failed, with each path dotted and an unknown field by its own name */
export function parseInput<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  if (isDeeperThan(value, maxDepth)) {
    throw new PublicError('validation_failed', {
      details: [{ path: '', message: `must be at most ${maxDepth} levels deep` }],
    });
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new PublicError('validation_failed', {
    details: parsed.error.issues.flatMap((issue) => detailsOf(issue)),
  });
}

/** A malformed identifier is an identifier that nothing has. */
export function parseParams<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new PublicError('not_found');
}

function detailsOf(issue: z.core.$ZodIssue, base: PropertyKey[] = []): ErrorDetail[] {
  const path = [...base, ...issue.path];
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      path: [...path, key].map(String).join('.'),
      message: 'is not a known field',
    }));
  }
  // Of a union the closest branch speaks: the one with the fewest complaints.
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    const [closest = []] = [...issue.errors].sort((a, b) => a.length - b.length);
    return closest.flatMap((inner) => detailsOf(inner, path));
  }
  return [{ path: path.map(String).join('.'), message: issue.message }];
}

/** Iterative: a hostile body must not exhaust the stack. */
function isDeeperThan(value: unknown, limit: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > limit) return true;
    level = level.flatMap((node) =>
      typeof node === 'object' && node !== null
        ? Object.values<unknown>({ ...node }).filter((child) => typeof child === 'object')
        : [],
    );
  }
  return false;
}
