/** The dependencies of activities that a test runs itself: no other organization, and no worker that could be lost. */
import type { ActivityDeps } from '../../src/app/deps.ts';

export const unshared: ActivityDeps['shares'] = { use: async (_organization, work) => await work() };

export const unguarded: ActivityDeps['attempts'] = {
  guarded: async (_unit, { work }) => await work(),
  guardedByClaim: async (_unit, _repeated, { work }) => await work(),
};
