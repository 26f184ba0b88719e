import { z } from 'zod';
import { text } from '../text.ts';
import { createAgent } from './agents.ts';

const agentInFile = createAgent.extend({
  transfers_to: z.array(text(200)).max(100).optional().describe('Names of agents'),
  connections: z.array(text(200)).max(100).nullish().describe('Names or identifiers of workspaces'),
  version: z.int().optional().describe('Written by an export, for people; ignored when the file is applied'),
});
export const agentsFile = z.strictObject({
  agents: z.array(agentInFile).min(1),
  note: text(1000).optional().describe('The note of each version that the file publishes'),
});
export type AgentsFile = z.output<typeof agentsFile>;

/** Thrown if a file of agents is invalid. The message is for the file's author. */
export class AgentsFileProblem extends Error {}

export const agentsFileForm = z.strictObject({ yaml: text(1_000_000).min(1) });
export type AgentsFileForm = z.infer<typeof agentsFileForm>;
export const agentsFileView = z.object({ yaml: z.string() });
export const agentsFileResult = z.object({
  created: z.array(z.string()),
  updated: z.array(z.string()),
  versions: z
    .array(z.object({ name: z.string(), version: z.int() }))
    .describe('The versions that the file published'),
});
export type AgentsFileResult = z.infer<typeof agentsFileResult>;
