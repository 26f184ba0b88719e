/**
 * Checks the rules of an agent that a schema cannot express: its models are configured, the regular expressions of its
 * script compile, its tool policies and its output schema are valid, and the agents, tools and connections that it
 * names exist.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { RE2JS } from 're2js';
import type { Database } from '../../adapters/postgres/database.ts';
import { missingAgents } from '../../adapters/postgres/conversations/agents.ts';
import { findHttpTools } from '../../adapters/postgres/http-tools/http-tools.ts';
import { findMcpTools } from '../../adapters/postgres/mcp-servers/mcp-servers.ts';
import { missingConnections } from '../../adapters/postgres/workspace/tool-connections.ts';
import type { ModelProviders } from '../models/model-providers.ts';
import { compilePattern, scriptInstructions } from '../../adapters/models/scripted-model.ts';
import type { ScriptRule, UpdateAgent } from '../../contract/conversations/agents.ts';
import { schemaDetails } from '../http-tools/check-arguments.ts';
import { policyProblem } from '../../domain/conversations/tool-policy.ts';
import { PublicError, type ErrorDetail } from '../../contract/errors.ts';

/**
 * Checks only the fields that `agent` contains.
 * @throws PublicError validation_failed with a detail for each problem
 */
export async function checkAgent(
  deps: { models: Pick<ModelProviders, 'problemOf'>; db: Database; toolNames: ReadonlySet<string> },
  organizationId: string,
  agent: UpdateAgent,
): Promise<void> {
  const details: ErrorDetail[] = [];
  for (const path of ['model', 'fallback_model'] as const) {
    const named = agent[path];
    const problem = named == null ? undefined : await deps.models.problemOf(deps.db, organizationId, named);
    if (problem !== undefined) details.push({ path, message: problem });
  }
  if (agent.fallback_model != null && agent.fallback_model === agent.model)
    details.push({ path: 'fallback_model', message: 'must be another model than `model`' });
  details.push(...(await scriptProblems(agent.script ?? [])));
  if (agent.output_schema != null) details.push(...schemaDetails(agent.output_schema, 'output_schema'));
  const wanted = agent.transfers_to ?? [];
  const missing = new Set(await missingAgents(deps.db, organizationId, wanted));
  for (const [index, id] of wanted.entries()) {
    if (missing.has(id))
      details.push({ path: `transfers_to.${index}`, message: 'is not an agent of this organization' });
  }
  const named = agent.connections ?? [];
  const unknown = new Set(await missingConnections(deps.db, organizationId, named));
  for (const [index, id] of named.entries()) {
    if (unknown.has(id))
      details.push({
        path: `connections.${index}`,
        message: 'is not a connected workspace of this organization',
      });
  }
  const others = (agent.tools ?? []).filter((name) => !deps.toolNames.has(name));
  const found = [
    ...(await findHttpTools(deps.db, organizationId, others)),
    ...(await findMcpTools(deps.db, organizationId, others)),
  ];
  const own = new Set(found.map(({ name }) => name));
  for (const [index, tool] of (agent.tools ?? []).entries()) {
    if (!deps.toolNames.has(tool) && !own.has(tool))
      details.push({
        path: `tools.${index}`,
        message: 'is no known action, HTTP tool or tool of an MCP server',
      });
  }
  for (const [index, policy] of (agent.tool_policies ?? []).entries()) {
    const invalid = policyProblem(policy);
    if (invalid !== undefined)
      details.push({ path: `tool_policies.${index}.${invalid.field}`, message: invalid.message });
  }
  if (details.length > 0) throw new PublicError('validation_failed', { details });
}

/**
 * Compiles the regular expressions of a script, one per turn of the event loop, so that other requests are served
 * between two of them.
 * @returns a detail for each expression that does not compile, or with which the script becomes too large
 */
async function scriptProblems(script: readonly ScriptRule[]): Promise<ErrorDetail[]> {
  const details: ErrorDetail[] = [];
  const compiled: RE2JS[] = [];
  for (const [index, { when }] of script.entries()) {
    if (when === undefined) continue;
    await nextTurn();
    try {
      compiled.push(compilePattern(when));
      scriptInstructions(compiled);
    } catch (error) {
      details.push({ path: `script.${index}.when`, message: error instanceof Error ? error.message : '' });
    }
  }
  return details;
}
