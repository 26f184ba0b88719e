/** Plays many seeds, many at once; a seed that fails is shrunk to the least that still fails. */
import { interleavingOf, type Interleaving } from './interleaving.ts';

export interface Failing {
  seed: number;
  violation: string;
  least: Interleaving;
}

type Play = (plan: Interleaving | number) => Promise<string>;

/**
 * @param options.seconds begins no further one after this time
 * @returns how many were played, and the first failure, shrunk
 */
export async function playMany(
  play: Play,
  options: { from: number; count?: number; seconds?: number; atOnce: number },
): Promise<{ played: number; failing?: Failing }> {
  const { from, count = Infinity, seconds = Infinity, atOnce } = options;
  const endsAt = performance.now() + seconds * 1000;
  let next = from;
  let failed: { seed: number; violation: string } | undefined;
  const player = async () => {
    while (next < from + count && performance.now() < endsAt && failed === undefined) {
      const seed = next++;
      const violation = await play(seed);
      if (violation !== '') failed ??= { seed, violation };
    }
  };
  await Promise.all(Array.from({ length: atOnce }, player));
  const played = next - from;
  if (failed === undefined) return { played };
  return { played, failing: { ...failed, least: await shrink(interleavingOf(failed.seed), play) } };
}

/** Leaves out whatever can be left out. A race that shows only at times is given some tries. */
async function shrink(plan: Interleaving, play: Play): Promise<Interleaving> {
  const fails = async (candidate: Interleaving): Promise<boolean> => {
    for (let tries = 3; tries > 0; tries--) if ((await play(candidate)) !== '') return true;
    return false;
  };
  for (const smaller of smallerOnes(plan)) if (await fails(smaller)) return await shrink(smaller, play);
  return plan;
}

/** The same where many are best played at once. */
export async function playBatches(
  play: (plans: (Interleaving | number)[]) => Promise<string[]>,
  options: { from: number; count: number; atOnce: number },
): Promise<Failing | undefined> {
  const { count, atOnce } = options;
  for (let from = options.from; from < options.from + count; from += atOnce) {
    const size = Math.min(atOnce, options.from + count - from);
    const seeds = Array.from({ length: size }, (_, index) => from + index);
    const violations = await play(seeds);
    const index = violations.findIndex((violation) => violation !== '');
    const [seed, violation] = [seeds[index], violations[index]];
    if (seed === undefined || violation === undefined) continue;
    return { seed, violation, least: await shrinkAtOnce(interleavingOf(seed), play) };
  }
  return undefined;
}

async function shrinkAtOnce(
  plan: Interleaving,
  play: (plans: Interleaving[]) => Promise<string[]>,
): Promise<Interleaving> {
  const smaller = [...smallerOnes(plan)];
  const violations = await play(smaller);
  const next = smaller[violations.findIndex((violation) => violation !== '')];
  return next === undefined ? plan : await shrinkAtOnce(next, play);
}

function* smallerOnes(plan: Interleaving): Generator<Interleaving> {
  for (const index of plan.ops.keys()) yield { ...plan, ops: plan.ops.filter((_, at) => at !== index) };
  for (const key of Object.keys(plan.accidents)) {
    const accidents = Object.fromEntries(Object.entries(plan.accidents).filter(([other]) => other !== key));
    yield { ...plan, accidents };
  }
  for (const [index, reply] of plan.replies.entries()) {
    if (reply.does === 'answer' && reply.ms === 0) continue;
    const replies = plan.replies.with(index, { does: 'answer', ms: 0 });
    yield { ...plan, replies };
  }
  if (plan.postMs.some((ms) => ms > 0)) yield { ...plan, postMs: [] };
}

export function describeFailure({ seed, violation, least }: Failing): string {
  return `seed ${seed} fails: ${violation}\nthe least that fails: ${JSON.stringify(least)}`;
}
