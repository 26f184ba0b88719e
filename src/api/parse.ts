/** Validates the parts of a request with their schemas. The error lists the path of each invalid field. */
import type { z } from 'zod';
import { PublicError, type ErrorDetail } from '../contract/errors.ts';

/** Limits the response's size: a hostile body must not produce a response many times larger than itself. */
const maxDetails = 100;

/** @throws PublicError validation_failed with the dotted path of each invalid or unknown field, at most 100 */
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

/** Parses path parameters. @throws PublicError not_found for a malformed identifier, because no object has it */
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
  // For a union, reports only the errors of the branch with the fewest.
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    const [closest = []] = [...issue.errors].sort((a, b) => a.length - b.length);
    return closest.flatMap((inner) => detailsOf(inner, path));
  }
  return [{ path: path.map(String).join('.'), message: issue.message }];
}
