/** The console's endpoints that export and apply agents as YAML, in the format of `parley export` and `apply`. */
import { recordAudit } from '../../../adapters/postgres/accounts/audit-log.ts';
import { inTransaction } from '../../../adapters/postgres/database.ts';
import {
  applyAgents,
  exportAgents,
  maxExportedFile,
  namesIn,
} from '../../../adapters/postgres/conversations/agents-file.ts';
import {
  agentsFileForm,
  AgentsFileProblem,
  agentsFileResult,
  agentsFileView,
} from '../../../contract/conversations/agents-file.ts';
import { PublicError } from '../../../contract/errors.ts';
import { demandTools, noReach } from '../../admit.ts';
import { checkAgent } from '../../../app/conversations/check-agent.ts';
import { readAgentsFile } from '../../../app/conversations/read-agents-file.ts';
import { defineEndpoint } from '../../endpoint.ts';

export const getAgentsFile = defineEndpoint({
  auth: 'session',
  request: 'GET /agents-file',
  capability: 'member',
  answers: { 200: agentsFileView },
  handle: async ({ caller: person }, { db }, respond) =>
    respond(200, { yaml: await exportAgents(db, person.organizationId, maxExportedFile) }),
});

export const putAgentsFile = defineEndpoint({
  auth: 'session',
  request: 'PUT /agents-file',
  sometimes:
    '`tools.manage`, if the tools, their policies, the approvers or the connections of an agent change',
  capability: 'agents.manage',
  body: agentsFileForm,
  answers: { 200: agentsFileResult },
  handle: async ({ caller: person, body }, deps, respond) => {
    const { organizationId } = person;
    try {
      const given = await readAgentsFile(organizationId, body);
      const result = await inTransaction(deps.db, async (tx) => {
        const applied = await applyAgents(tx, organizationId, given, person, async (agent, known) => {
          demandTools(person, known ?? noReach, agent);
          await checkAgent({ ...deps, db: tx }, organizationId, agent);
        });
        await recordAudit(tx, person, 'agents_imported', namesIn(applied));
        return applied;
      });
      return respond(200, result);
    } catch (problem) {
      if (!(problem instanceof AgentsFileProblem)) throw problem;
      throw new PublicError('validation_failed', { sentence: problem.message, cause: problem });
    }
  },
});
