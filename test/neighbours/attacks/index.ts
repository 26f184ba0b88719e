/** All attacks. */
import type { Attack } from '../attack.ts';
import { bodies } from './bodies.ts';
import { channels } from './channels.ts';
import { lists } from './lists.ts';
import { runs } from './runs.ts';
import { scripts } from './scripts.ts';
import { signIns } from './sign-ins.ts';

export const attacks: readonly Attack[] = [...bodies, ...scripts, ...runs, ...lists, ...signIns, ...channels];
