/** What a schema cannot know of an agent: other rows, configured providers, expressions that compile. */
import { missingAgents } from '../adapters/db/agents.ts';
import { modelProblem } from '../adapters/models/models.ts';
import { compile } from '../adapters/models/scripted-model.ts';
import type { UpdateAgent } from '../contract/agents.ts';
import { PublicError, type ErrorDetail } from '../contract/errors.ts';
import type { ApiDeps } from './deps.ts';

/** @throws PublicError validation_failed */
export async function checkAgent(
  deps: Pick<ApiDeps, 'config' | 'db' | 'toolNames'>,
  organizationId: string,
  agent: UpdateAgent,
): Promise<void> {
  const details: ErrorDetail[] = [];
  const problem = agent.model == null ? undefined : modelProblem(deps.config, agent.model);
  if (problem !== undefined) details.push({ path: 'model', message: problem });
  for (const [index, rule] of (agent.script ?? []).entries()) {
    if (rule.when === undefined) continue;
    try {
      compile(rule.when);
    } catch {
      details.push({ path: `script.${index}.when`, message: 'is not a regular expression that RE2 takes' });
    }
  }
  const wanted = agent.transfers_to ?? [];
  const missing = new Set(await missingAgents(deps.db, organizationId, wanted));
  for (const [index, id] of wanted.entries()) {
    if (missing.has(id))
      details.push({ path: `transfers_to.${index}`, message: 'is no agent of this organization' });
  }
  for (const [index, tool] of (agent.tools ?? []).entries()) {
    if (!deps.toolNames.has(tool)) details.push({ path: `tools.${index}`, message: 'is no known action' });
  }
  if (details.length > 0) throw new PublicError('validation_failed', { details });
}
