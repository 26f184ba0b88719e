import { z } from 'zod';
import { keysOf } from '../keys-of.ts';
import { capabilityTable } from './capability-table.ts';

export const capability = z.enum(keysOf(capabilityTable));
export type Capability = z.infer<typeof capability>;

export const allCapabilities: readonly Capability[] = capability.options;

/** The built-in role. It cannot be changed and has every capability, including future ones. */
export const administratorRole = 'admin';
