/** The console's endpoints for model providers, the default model, the local model, and model servers on this computer. */
import { z } from 'zod';
import { localModel, modelServers } from '../../../contract/models/local-model.ts';
import {
  addProviderForm,
  changeProviderForm,
  defaultModelForm,
  modelPriceForm,
  modelSettings,
  modelTest,
  savedProvider,
  testProviderForm,
} from '../../../contract/models/models.ts';
import { defineEndpoint } from '../../endpoint.ts';

const params = z.object({ id: z.uuid() });

const shared = { auth: 'session', capability: 'models.manage' } as const;

export const getModels = defineEndpoint({
  auth: 'session',
  request: 'GET /models',
  capability: 'member',
  answers: { 200: modelSettings },
  handle: async ({ caller }, { models }, respond) => respond(200, await models.view(caller.organizationId)),
});

export const addModelProvider = defineEndpoint({
  ...shared,
  request: 'POST /model-providers',
  body: addProviderForm,
  answers: { 201: savedProvider },
  handle: async ({ caller, body }, { models }, respond) => respond(201, await models.add(caller, body)),
});

export const changeModelProvider = defineEndpoint({
  ...shared,
  request: 'PATCH /model-providers/{id}',
  params,
  body: changeProviderForm,
  answers: { 200: savedProvider },
  handle: async ({ caller, params: { id }, body }, { models }, respond) =>
    respond(200, await models.change(caller, id, body)),
});

export const testModelProvider = defineEndpoint({
  ...shared,
  request: 'POST /model-providers/{id}/test',
  params,
  body: testProviderForm,
  answers: { 200: modelTest },
  handle: async ({ caller, params: { id }, body }, { models }, respond) =>
    respond(200, await models.test(caller.organizationId, id, body.model)),
});

export const removeModelProvider = defineEndpoint({
  ...shared,
  request: 'DELETE /model-providers/{id}',
  params,
  handle: ({ caller, params: { id } }, { models }) => models.remove(caller, id),
});

export const setDefaultModel = defineEndpoint({
  ...shared,
  request: 'PUT /default-model',
  body: defaultModelForm,
  answers: { 200: modelSettings },
  handle: async ({ caller, body }, { models }, respond) => {
    await models.setDefault(caller, body.model);
    return respond(200, await models.view(caller.organizationId));
  },
});

export const setModelPrice = defineEndpoint({
  ...shared,
  request: 'PUT /model-price',
  body: modelPriceForm,
  answers: { 200: modelSettings },
  handle: async ({ caller, body }, { models }, respond) => {
    await models.setPrice(caller, body);
    return respond(200, await models.view(caller.organizationId));
  },
});

export const getLocalModel = defineEndpoint({
  ...shared,
  request: 'GET /local-model',
  answers: { 200: localModel },
  handle: (_call, { localModels }, respond) => Promise.resolve(respond(200, localModels.view())),
});

export const startLocalModel = defineEndpoint({
  ...shared,
  request: 'POST /local-model',
  answers: { 202: localModel },
  handle: async ({ caller }, { localModels }, respond) => respond(202, await localModels.start(caller)),
});

export const getModelServers = defineEndpoint({
  ...shared,
  request: 'GET /model-servers',
  answers: { 200: modelServers },
  handle: async ({ caller }, { localModels }, respond) =>
    respond(200, await localModels.servers(caller.organizationId)),
});
