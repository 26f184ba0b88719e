import { z } from 'zod';
import { keysOf } from '../keys-of.ts';
import { capabilityTable } from './capability-table.ts';

export const capability = z.enum(keysOf(capabilityTable));
export type Capability = z.infer<typeof capability>;

export const allCapabilities: readonly Capability[] = capability.options;

/** Id of the built-in role. It has every capability, including those of later versions, and cannot be changed. */
export const administratorRole = 'admin';
