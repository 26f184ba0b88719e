/** The provider of the `modelled` agent: fails as planned, then answers. */
import { startModelServer, type ModelBehaviour, type ModelServer } from '../support/model-server.ts';
import type { ModelFault, PlannedMessage } from './plan-load.ts';
import { textOf } from './send-load.ts';

const behaviours: Record<ModelFault, ModelBehaviour> = {
  '429': { kind: 'status', status: 429, headers: { 'retry-after': '1' } },
  '500': { kind: 'status', status: 500 },
  hang: { kind: 'hang' },
  cut: { kind: 'cut', text: 'Answer to: something that never' },
  html: { kind: 'html' },
};

export async function startPlannedModel(load: readonly PlannedMessage[]): Promise<ModelServer> {
  const server = await startModelServer();
  for (const { agent, key, modelFaults } of load) {
    if (agent !== 'modelled') continue;
    const text = textOf(key);
    const faults = modelFaults.map((fault) => behaviours[fault]);
    server.answer(text, ...faults, { kind: 'stream', text: `Answer to: ${text}` });
  }
  return server;
}

/** Settings of the API and the worker that lead to the model server. */
export function modelSettings(server: ModelServer): NodeJS.ProcessEnv {
  return { MODEL_BASE_URL: server.baseUrl, MODEL_NAME: 'chaos', MODEL_TIMEOUT_SECONDS: '5' };
}
