/**
 * One write, once: recorded when it is done, looked up in the workspace when its outcome is unknown. The
 * workspace has no idempotency key, so a create is claimed before it is sent; whoever comes to a claimed and
 * unrecorded create reads back before anything is sent again.
 */
import { z } from 'zod';
import {
  WorkspaceAnswerUnreadable,
  WorkspaceHeldBack,
  WorkspaceNotReached,
  WorkspaceOutcomeUnknown,
  WorkspaceRateLimited,
  WorkspaceRefused,
} from '../../src/adapters/docs-failures.ts';
import type { RunContext } from './context.ts';
import { ActionError } from './failures.ts';
import { StillUnderWay } from './transient.ts';

/** Does the work unless an earlier attempt recorded its result. For reads that later steps rely on, and idempotent writes. */
export async function recorded<T>(
  context: RunContext,
  name: string,
  shape: z.ZodType<T>,
  work: () => Promise<T>,
): Promise<T> {
  const done = await context.steps.get(name);
  if (done !== undefined) return shape.parse(done);
  const value = await work();
  await context.steps.put(name, value);
  return value;
}

export type Found<T> = { found: 'one'; value: T } | { found: 'none' } | { found: 'unclear'; look: string };

export type Create<T, B> = {
  /** What is kept of the answer: ids, not content. */
  made: z.ZodType<T>;
  before: z.ZodType<B>;
  /** Read before the first send: what tells the new object from those that were there already. */
  lookBefore: () => Promise<B>;
  send: () => Promise<T>;
  find: (before: B) => Promise<Found<T>>;
  /** Names the object in an error, such as "the page". */
  what: string;
};

const outcome = z.enum(['refused', 'not_written']);
/** How often a create whose outcome was unknown is sent again after a look showed that it was not written. */
const maxSends = 2;

const certainlyNotWritten = (error: unknown): boolean =>
  error instanceof WorkspaceRateLimited ||
  error instanceof WorkspaceHeldBack ||
  error instanceof WorkspaceNotReached ||
  error instanceof WorkspaceRefused;

const maybeWritten = (error: unknown): boolean =>
  error instanceof WorkspaceOutcomeUnknown || error instanceof WorkspaceAnswerUnreadable;

function unknownOutcome(what: string, look: string): ActionError {
  return new ActionError(
    'UNKNOWN_OUTCOME',
    `The workspace did not confirm ${what}, and ${look}. Check before you repeat the action: repeating may create it twice`,
  );
}

async function lookUp<T, B>(
  context: RunContext,
  name: string,
  create: Create<T, B>,
  before: B,
): Promise<T | undefined> {
  const found = await create.find(before);
  if (found.found === 'unclear') throw unknownOutcome(create.what, found.look);
  if (found.found === 'none') return undefined;
  await context.steps.put(name, found.value);
  return found.value;
}

/**
 * The attempt that claimed it may have died, or may only have lost touch while its request is on its way: before
 * its time is over, not having found anything says nothing.
 */
async function untilSettled(context: RunContext, attempt: string): Promise<void> {
  if ((await context.steps.get(`${attempt}/ended`)) !== undefined) return;
  const left = context.settleMs - (await context.steps.claimedMsAgo(attempt));
  if (left > 0) throw new StillUnderWay(Math.ceil(left));
}

/** @returns the made object, undefined when it certainly was not written */
async function sendOnce<T, B>(
  context: RunContext,
  name: string,
  attempt: string,
  create: Create<T, B>,
  before: B,
): Promise<T | undefined> {
  try {
    const made = await create.send();
    await context.steps.put(name, made);
    return made;
  } catch (error) {
    if (certainlyNotWritten(error)) {
      await context.steps.put(`${attempt}/outcome`, 'refused');
      throw error;
    }
    if (!maybeWritten(error)) throw error;
    await context.steps.put(`${attempt}/ended`, true);
    // A later attempt looks it up, with time for a late write to show; without one the look is now.
    if (!context.lastAttempt) throw error;
    const found = await lookUp(context, name, create, before);
    if (found === undefined) throw unknownOutcome(create.what, 'it was not there when looked for');
    return found;
  }
}

/**
 * @throws the transient failures of the workspace, to be called again with the same log; ActionError UNKNOWN_OUTCOME
 *   when what was written cannot be told
 */
export async function createOnce<T, B>(context: RunContext, name: string, create: Create<T, B>): Promise<T> {
  const done = await context.steps.get(name);
  if (done !== undefined) return create.made.parse(done);
  const before = await recorded(context, `${name}/before`, create.before, create.lookBefore);
  let unknown = 0;
  for (let count = 1; unknown < maxSends; count += 1) {
    const attempt = `${name}/send-${count}`;
    const ended = outcome.safeParse(await context.steps.get(`${attempt}/outcome`));
    if (ended.success) {
      if (ended.data === 'not_written') unknown += 1;
      continue;
    }
    if ((await context.steps.claim(attempt)) === 'claimed') {
      const made = await sendOnce(context, name, attempt, create, before);
      if (made !== undefined) return made;
      continue;
    }
    const found = await lookUp(context, name, create, before);
    if (found !== undefined) return found;
    await untilSettled(context, attempt);
    await context.steps.put(`${attempt}/outcome`, 'not_written');
    unknown += 1;
  }
  throw unknownOutcome(create.what, `it was not there after ${maxSends} tries`);
}
