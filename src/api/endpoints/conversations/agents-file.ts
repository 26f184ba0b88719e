/** Exports and applies agents as one YAML file, the same file that the command line reads. */
import {
  AgentsFileProblem,
  applyAgents,
  exportAgents,
} from '../../../adapters/postgres/conversations/agents-file.ts';
import {
  agentsFileForm,
  agentsFileResult,
  agentsFileView,
} from '../../../contract/conversations/agents-file.ts';
import { PublicError } from '../../../contract/errors.ts';
import { checkAgent } from '../../../app/conversations/check-agent.ts';
import { defineEndpoint } from '../../endpoint.ts';

export const getAgentsFile = defineEndpoint({
  auth: 'session',
  method: 'get',
  path: '/agents-file',
  capability: 'member',
  answers: { 200: agentsFileView },
  handle: async ({ caller: person }, { db }, respond) =>
    respond(200, { yaml: await exportAgents(db, person.organizationId) }),
});

export const putAgentsFile = defineEndpoint({
  auth: 'session',
  method: 'put',
  path: '/agents-file',
  capability: 'agents.manage',
  body: agentsFileForm,
  answers: { 200: agentsFileResult },
  handle: async ({ caller: person, body, note }, deps, respond) => {
    const { organizationId } = person;
    try {
      const result = await applyAgents(deps.db, organizationId, body.yaml, (agent) =>
        checkAgent(deps, organizationId, agent),
      );
      note('agents_imported', [...result.created, ...result.updated].join(', '));
      return respond(200, result);
    } catch (problem) {
      if (!(problem instanceof AgentsFileProblem)) throw problem;
      throw new PublicError('validation_failed', { sentence: problem.message, cause: problem });
    }
  },
});
