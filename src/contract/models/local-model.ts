/** The small model that local mode can run on this computer, and the model servers that it finds there. */
import { z } from 'zod';

/** Provider name of the model that local mode runs. */
export const localProvider = 'local';

/** The data with which a process calls the running model. */
export const localModelAccess = z.object({
  name: z.string().describe('The part of the model id after the slash'),
  base_url: z.string(),
  api_key: z.string(),
  context_tokens: z.int(),
});
export type LocalModelAccess = z.infer<typeof localModelAccess>;

const download = z.object({
  name: z.string(),
  licence: z.string(),
  megabytes: z.number(),
  source: z.string(),
});
export type Download = z.infer<typeof download>;

export const localModel = z.object({
  state: z
    .enum(['unavailable', 'off', 'fetching', 'starting', 'ready', 'failed'])
    .describe('unavailable: not in local mode'),
  model: z.string().nullable().describe('provider/name of the model that runs'),
  downloads: z
    .array(download)
    .describe('What a start fetches if it is missing: of the models, the first that arrives'),
  progress: z.string().nullable(),
  problem: z.string().nullable().describe('Why the last start failed'),
});
export type LocalModel = z.infer<typeof localModel>;

export const unavailableModel: LocalModel = {
  state: 'unavailable',
  model: null,
  downloads: [],
  progress: null,
  problem: null,
};

/** The IPC message with which the supervisor of local mode reports a change to the API and the worker. */
export const localModelMessage = z.object({
  type: z.literal('local-model'),
  view: localModel,
  access: localModelAccess.nullable(),
});
export type LocalModelMessage = z.infer<typeof localModelMessage>;

/** Type of the IPC message with which the API asks the supervisor to start the model. */
export const startLocalModel = 'start-local-model';

export const modelServers = z.object({
  offered: z.boolean().describe('False outside of local mode, where nothing is looked for'),
  data: z.array(
    z.object({ name: z.string(), program: z.string(), base_url: z.string(), models: z.array(z.string()) }),
  ),
});
export type ModelServers = z.infer<typeof modelServers>;
