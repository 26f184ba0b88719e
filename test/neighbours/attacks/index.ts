/** All attacks. */
import type { Attack } from '../attack.ts';
import { bodies } from './bodies.ts';
import { channels } from './channels.ts';
import { files } from './files.ts';
import { lists } from './lists.ts';
import { runs } from './runs.ts';
import { scripts } from './scripts.ts';
import { signIns } from './sign-ins.ts';
import { tables } from './tables.ts';
import { texts } from './texts.ts';

export const attacks: readonly Attack[] = [
  ...[...bodies, ...files, ...scripts, ...texts, ...runs],
  ...[...lists, ...tables, ...signIns, ...channels],
];
