/**
 * Ensures that each write is made once. A completed write is recorded. The workspace has no idempotency key, so a
 * create is claimed before it is sent. An attempt that finds a claim without a record searches the workspace for the
 * object before it sends anything.
 */
import { z } from 'zod';
import {
  WorkspaceAnswerUnreadable,
  WorkspaceBlocked,
  WorkspaceHeldBack,
  WorkspaceNotReached,
  WorkspaceOutcomeUnknown,
  WorkspaceRateLimited,
  WorkspaceRefused,
} from './client/failures.ts';
import type { RunContext } from './context.ts';
import { ActionError, isConflict, StillInProgress, transientOf } from './failures.ts';

/**
 * Does the work, unless an earlier attempt has recorded its result. If an attempt ends before it records the result,
 * the next one repeats the work. The work must therefore be safe to repeat.
 * @returns the recorded result
 */
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

export type Found<T> = { found: 'one'; value: T } | { found: 'none' } | { found: 'unclear'; why: string };

type Create<T, B> = {
  /** Schema of the recorded part of the response: ids, no content. */
  made: z.ZodType<T>;
  before: z.ZodType<B>;
  /** Reads the objects that exist before the first send, so that the new one can be recognized. */
  lookBefore: () => Promise<B>;
  send: () => Promise<T>;
  find: (before: B) => Promise<Found<T>>;
  /** Names the write in an error message, such as "the creation of the page". */
  what: string;
};

/**
 * Outcomes of a send that has certainly not written. `refused`: the workspace refused the request, or the request was
 * not sent. `not_written`: the request has ended or can no longer arrive, and a look-up found no object.
 */
const outcome = z.enum(['refused', 'not_written']);
/**
 * How a send ended without a usable response. If the look-up of a later attempt finds no object, the outcome is
 * `not_written` after `broken`, `refused` after `conflict`, and unknown after `may_still_land`.
 */
const ended = z.enum(['broken', 'conflict', 'may_still_land']);
type End = z.infer<typeof ended>;
/** Maximum sends of a create with the outcome `not_written`. Then the create fails with UNKNOWN_OUTCOME. Chosen. */
const maxSends = 2;

/**
 * True if the workspace has certainly not written. False for a conflict: according to the workspace's documentation,
 * nothing was written, but an unnecessary look-up costs less than a duplicate.
 */
const certainlyNotWritten = (error: unknown): boolean =>
  error instanceof WorkspaceRateLimited ||
  error instanceof WorkspaceHeldBack ||
  error instanceof WorkspaceNotReached ||
  error instanceof WorkspaceBlocked ||
  (error instanceof WorkspaceRefused && !isConflict(error));

function endOf(error: unknown): End | undefined {
  if (isConflict(error)) return 'conflict';
  if (error instanceof WorkspaceOutcomeUnknown) return error.mayStillLand ? 'may_still_land' : 'broken';
  return error instanceof WorkspaceAnswerUnreadable ? 'broken' : undefined;
}

/**
 * Creates an object at most once over all attempts. Further calls return the recorded object.
 * @returns the object as `send` returned it, or as a look-up found it
 * @throws ActionError UNKNOWN_OUTCOME if it cannot be determined whether the object was created; StillInProgress; the
 * failures of the workspace. After a transient failure (see transientOf), the caller must call again with the same step
 * log.
 */
export async function createOnce<T, B>(context: RunContext, name: string, create: Create<T, B>): Promise<T> {
  const { steps } = context;
  const done = await steps.get(name);
  if (done !== undefined) return create.made.parse(done);
  const before = await recorded(context, `${name}/before`, create.before, create.lookBefore);
  let unknown = 0;
  for (let count = 1; unknown < maxSends; count += 1) {
    const attempt = `${name}/send-${count}`;
    let known = outcome.safeParse(await steps.get(`${attempt}/outcome`)).data;
    if (known === undefined) {
      if ((await steps.claim(attempt)) === 'claimed') return await sendOnce(attempt);
      const settled = await settle(attempt);
      if (typeof settled === 'object') return settled.found;
      known = settled;
      await steps.put(`${attempt}/outcome`, known);
    }
    if (known === 'not_written') unknown += 1;
  }
  throw unknownOutcome(`it was not there after ${maxSends} tries`);

  /**
   * Searches the workspace for the object of an earlier send whose response was lost. Records the object if it is
   * found.
   * @returns the recorded part of the object; undefined if there is none
   * @throws ActionError UNKNOWN_OUTCOME if this cannot be determined; the failures of the workspace
   */
  async function lookUp(end: End | undefined): Promise<T | undefined> {
    const found = await create.find(before);
    if (found.found === 'one') {
      await steps.put(name, found.value);
      return found.value;
    }
    // After a conflict, an unclear look-up counts as nothing found, because the workspace reported that it did not
    // write.
    if (found.found === 'none' || end === 'conflict') return undefined;
    throw unknownOutcome(found.why);
  }

  /**
   * Returns the milliseconds for which the claimed request may still arrive; 0 or less if it can no longer arrive.
   * Until then, a look-up that finds no object does not prove that nothing will be written.
   */
  async function mayArriveMs(attempt: string): Promise<number> {
    return context.settleMs - (await steps.claimedMsAgo(attempt));
  }

  /**
   * Determines the outcome of a claimed send that has no recorded result.
   * @returns the object; if there is certainly none, the outcome
   * @throws StillInProgress while the request may still arrive; ActionError UNKNOWN_OUTCOME if the look-up is unclear
   * or the object may still appear. The create is then never sent again.
   */
  async function settle(attempt: string): Promise<{ found: T } | z.infer<typeof outcome>> {
    const end = ended.safeParse(await steps.get(`${attempt}/ended`)).data;
    const isOver = end === 'broken' || end === 'conflict';
    // The remaining time is read before the look-up, because a request may arrive unnoticed during the look-up.
    const left = isOver ? 0 : await mayArriveMs(attempt);
    const found = await lookUp(end);
    if (found !== undefined) return { found };
    if (end === 'conflict') return 'refused';
    if (left > 0) throw new StillInProgress(Math.ceil(left));
    if (end === 'may_still_land')
      throw unknownOutcome('it was not there when looked for; it may still appear');
    return 'not_written';
  }

  /**
   * Sends a claimed create, and records how the send ended.
   * @returns the created object
   * @throws the failure of the send; ActionError UNKNOWN_OUTCOME if the outcome is unknown, no other attempt follows,
   * and a look-up does not find the object
   */
  async function sendOnce(attempt: string): Promise<T> {
    try {
      const made = await create.send();
      await steps.put(name, made);
      return made;
    } catch (error) {
      if (certainlyNotWritten(error)) {
        await steps.put(`${attempt}/outcome`, 'refused');
        throw error;
      }
      const end = endOf(error);
      if (end === undefined) throw error;
      await steps.put(`${attempt}/ended`, end);
      // If another attempt follows, that attempt looks the object up, so that a late write has time to appear.
      // Otherwise, the object is looked up now.
      if (!context.lastAttempt && transientOf(error) !== undefined) throw error;
      const found = await lookUp(end);
      if (found !== undefined) return found;
      if (end === 'conflict') throw error;
      throw unknownOutcome('it was not there when looked for');
    }
  }

  function unknownOutcome(why: string): ActionError {
    return new ActionError(
      'UNKNOWN_OUTCOME',
      `The workspace did not confirm ${create.what}, and ${why}. Check before you repeat the action: repeating may create it twice`,
    );
  }
}

/**
 * Finds the only id in `now` that is not in `before`.
 * @returns `none` if there is none, `unclear` if there are several
 */
function oneNew(before: readonly string[], now: readonly string[]): Found<string> {
  const added = now.filter((id) => !before.includes(id));
  const [first, second] = added;
  if (first === undefined) return { found: 'none' };
  return second === undefined
    ? { found: 'one', value: first }
    : { found: 'unclear', why: `${added.length} that look like it are there: ${added.join(', ')}` };
}

type CreateObject<T> = {
  /** Returns the ids of the objects in the workspace that may be the new one, for example because of their title. */
  lookalikes: () => Promise<string[]>;
  /** Reads the ids that exist before the first send. Default: `lookalikes`. */
  lookBefore?: () => Promise<string[]>;
  /** Finds the created object. Default: the only id of `lookalikes` that did not exist before the first send. */
  find?: ((before: readonly string[]) => Promise<Found<string>>) | undefined;
  send: () => Promise<T>;
  read: (id: string) => Promise<T>;
  /** Field of `context.partial` in which the id is recorded, for the result of an action that fails later. */
  partial?: string;
  /** Names the write in an error message, such as "the creation of the page". */
  what: string;
};

/**
 * Creates an object that has an id, at most once over all attempts.
 * @returns the object from the workspace's response; if only its id is known, from the step log or from a look-up, the
 * object that `read` returns
 * @throws the errors of createOnce and of `read`
 */
export async function createObjectOnce<T extends { id: string }>(
  context: RunContext,
  name: string,
  { lookalikes, lookBefore = lookalikes, find, send, read, partial, what }: CreateObject<T>,
): Promise<T> {
  let answer: T | undefined;
  const id = await createOnce(context, name, {
    made: z.string(),
    before: z.array(z.string()),
    lookBefore,
    send: async () => {
      answer = await send();
      return answer.id;
    },
    find: find ?? (async (before) => oneNew(before, await lookalikes())),
    what,
  });
  if (partial !== undefined) context.partial[partial] = id;
  return answer ?? read(id);
}
