/**
 * Bounds the concurrent calls of an organization in this process: calls that wait for an answer or follow a stream
 * hold a connection each.
 */
import type { Response } from 'express';
import { PublicError } from '../contract/errors.ts';

let maxPerOrganization = 1000;

const underWay = new Map<string, number>();

/** @param connections of this process; an organization's share is a fifth */
export function shareOut(connections: number): void {
  maxPerOrganization = Math.ceil(connections / 5);
}

/** Counts the call until its response ends. @throws PublicError rate_limited */
export function enter(organizationId: string, response: Response): void {
  const calls = underWay.get(organizationId) ?? 0;
  if (calls >= maxPerOrganization)
    throw new PublicError('rate_limited', {
      sentence: `Your organization has ${maxPerOrganization} calls under way; wait for answers first.`,
      retryAfterSeconds: 1,
    });
  underWay.set(organizationId, calls + 1);
  response.once('close', () => {
    const left = (underWay.get(organizationId) ?? 1) - 1;
    if (left > 0) underWay.set(organizationId, left);
    else underWay.delete(organizationId);
  });
}
