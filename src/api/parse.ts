/** Request parts → what their schema says, or the error that names each path. */
import type { z } from 'zod';
import { PublicError, type ErrorDetail } from '../contract/errors.ts';

/** A hostile body must not make an answer many times its size. */
const mostDetails = 100;

/** @throws PublicError validation_failed, with each path dotted and an unknown field by its own name */
export function parseInput<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new PublicError('validation_failed', {
    details: parsed.error.issues
      .slice(0, mostDetails)
      .flatMap((issue) => detailsOf(issue))
      .slice(0, mostDetails),
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
