import { z } from 'zod';
import { keysOf } from '../keys-of.ts';
import { capabilityTable } from './capability-table.ts';

export const capability = z.enum(keysOf(capabilityTable));
export type Capability = z.infer<typeof capability>;

export const allCapabilities: readonly Capability[] = capability.options;

/** Id of the built-in role. This role has every capability, including those of later versions. It cannot be changed. */
export const administratorRole = 'admin';
