/** Every story that is recorded. A workflow that is added brings stories for each of its branches. */
import { accidents } from './accidents.ts';
import { approvals } from './approvals.ts';
import { channels } from './channels.ts';
import { followUps } from './follow-ups.ts';
import { groups } from './groups.ts';
import { operators } from './operators.ts';
import { rehearsals } from './rehearsals.ts';
import { runs } from './runs.ts';
import type { Story } from './stage.ts';
import { sweeps } from './sweeps.ts';
import { warm } from './warm.ts';

export const stories: readonly Story[] = [
  ...runs,
  ...approvals,
  ...groups,
  ...followUps,
  ...operators,
  ...sweeps,
  ...channels,
  ...rehearsals,
  ...accidents,
  ...warm,
];
