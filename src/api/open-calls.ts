/**
 * Bounds the concurrent calls of an organization in this process: calls that wait for an answer or follow a stream
 * hold a connection each.
 */
import type { Response } from 'express';
import { PublicError } from '../contract/errors.ts';
import { Limiter } from '../limits/limiter.ts';

let maxPerOrganization = 1000;
let calls = new Limiter({ maxPerOwner: maxPerOrganization });

/** @param connections of this process; an organization's share is a fifth */
export function shareOut(connections: number): void {
  maxPerOrganization = Math.ceil(connections / 5);
  calls = new Limiter({ maxPerOwner: maxPerOrganization });
}

/** Counts the call until its response ends. @throws PublicError rate_limited */
export function enter(organizationId: string, response: Response): void {
  const release = calls.tryHold(organizationId);
  if (release === undefined)
    throw new PublicError('rate_limited', {
      sentence: `Your organization has ${maxPerOrganization} calls in progress. Wait for some to end.`,
      retryAfterSeconds: 1,
    });
  response.once('close', release);
}
