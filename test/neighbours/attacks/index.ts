/** All attacks. */
import type { Attack } from '../attack.ts';
import { bodies } from './bodies.ts';
import { scripts } from './scripts.ts';

export const attacks: readonly Attack[] = [...bodies, ...scripts];
