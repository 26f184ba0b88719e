/**
 * Checks the rules of an agent that a schema cannot express: its model is configured, its expressions compile, its
 * tools' policies are valid, and the agents, tools and connections that it names exist.
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
import { policyProblem } from '../../domain/conversations/tool-policy.ts';
import { PublicError, type ErrorDetail } from '../../contract/errors.ts';

/** Checks the given fields of an agent. @throws PublicError validation_failed with a detail for each problem */
export async function checkAgent(
  deps: { models: Pick<ModelProviders, 'problemOf'>; db: Database; toolNames: ReadonlySet<string> },
  organizationId: string,
  agent: UpdateAgent,
): Promise<void> {
  const details: ErrorDetail[] = [];
  const problem =
    agent.model == null ? undefined : await deps.models.problemOf(deps.db, organizationId, agent.model);
  if (problem !== undefined) details.push({ path: 'model', message: problem });
  details.push(...(await scriptProblems(agent.script ?? [])));
  const refuse = (field: string, names: readonly string[], missing: readonly string[], message: string) => {
    for (const [index, name] of names.entries())
      if (missing.includes(name)) details.push({ path: `${field}.${index}`, message });
  };
  const { transfers_to = [], connections, tools = [] } = agent;
  const agents = await missingAgents(deps.db, organizationId, transfers_to);
  refuse('transfers_to', transfers_to, agents, 'is not an agent of this organization');
  const named = connections ?? [];
  const workspaces = await missingConnections(deps.db, organizationId, named);
  refuse('connections', named, workspaces, 'is not a connected workspace of this organization');
  const others = tools.filter((name) => !deps.toolNames.has(name));
  const found = [
    ...(await findHttpTools(deps.db, organizationId, others)),
    ...(await findMcpTools(deps.db, organizationId, others)),
  ];
  const unknown = others.filter((name) => !found.some((tool) => tool.name === name));
  refuse('tools', tools, unknown, 'is no known action, HTTP tool or tool of an MCP server');
  for (const [index, policy] of (agent.tool_policies ?? []).entries()) {
    const invalid = policyProblem(policy);
    if (invalid !== undefined)
      details.push({ path: `tool_policies.${index}.${invalid.field}`, message: invalid.message });
  }
  if (details.length > 0) throw new PublicError('validation_failed', { details });
}

/** Compiles one expression per turn of the event loop, so that other requests are served in between. */
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
