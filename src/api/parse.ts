/** Validates the parts of a request with their schemas; the error names each path. */
import type { z } from 'zod';
import { PublicError, type ErrorDetail } from '../contract/errors.ts';

/** Bounds the response: a hostile body must not produce one many times its size. */
const maxDetails = 100;

/** @throws PublicError validation_failed with dotted paths; an unknown field has a path of its own */
export function parseInput<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new PublicError('validation_failed', {
    details: parsed.error.issues
      .slice(0, maxDetails)
      .flatMap((issue) => detailsOf(issue))
      .slice(0, maxDetails),
  });
}

/** A malformed identifier belongs to no object, so it counts as not found. */
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
  // Reports the errors of a union's closest branch, the one with the fewest.
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    const [closest = []] = [...issue.errors].sort((a, b) => a.length - b.length);
    return closest.flatMap((inner) => detailsOf(inner, path));
  }
  return [{ path: path.map(String).join('.'), message: issue.message }];
}
