/**
 * Compares what was rehearsed with versions: refuses new versions without a passed rehearsal, for agents that require
 * rehearsals, and gives the rehearsals of a draft the number of its version.
 */
import { z } from 'zod';
import { versionedFields } from '../../../contract/conversations/agent-versions.ts';
import { PublicError } from '../../../contract/errors.ts';
import type { AgentKey } from '../conversations/agent-versions.ts';
import { queryRow, queryRows, statement, type Transaction } from '../database.ts';

const rule = z.object({ requires_rehearsal: z.boolean() });
type Rule = z.infer<typeof rule>;

const lock = statement('lock-agent-that-may-require-rehearsal', rule.extend({ version: z.number() }))`
  select version, requires_rehearsal from agents
    where id = $1 and organization_id = $2 and deleted_at is null for no key update`;

const contentOf = (row: string) =>
  `jsonb_build_object(${versionedFields.map((field) => `'${field}', ${row}.${field}`).join(', ')})`;
/**
 * Finds a completed rehearsal of the version's content and model in which every turn passed. Reads both contents as
 * columns of `agents`, so that they can be compared.
 */
const rehearsed = statement('find-passed-rehearsal-of-version')`
  select h.id from rehearsals h
    cross join lateral jsonb_populate_record(null::agents, h.content) x
    cross join lateral agent_at(h.agent_id, $3::integer) v
    where h.agent_id = $1 and h.organization_id = $2 and h.status = 'completed'
      and (h.model is null or h.model = v.model) and ${contentOf('x')} = ${contentOf('v')}
      and exists (select from rehearsal_turns t where t.rehearsal_id = h.id)
      and not exists (select from rehearsal_turns t where t.rehearsal_id = h.id and t.passed is not true)
    limit 1`;

/**
 * Runs a change that may create or publish a version of an agent. If the agent required a rehearsal before the change,
 * checks afterwards that the new version has passed one. Locks the agent until the transaction ends, so that no other
 * transaction changes it or its rule.
 * @param change returns the version that the agent, or its candidate, has now; undefined if nothing changed
 * @returns the result of `change`
 * @throws PublicError invalid_state if the new version has not passed a rehearsal; the caller must roll back
 */
export async function underRehearsalRule<T extends { version: number } | undefined>(
  tx: Transaction,
  { id, organizationId }: AgentKey,
  change: () => Promise<T>,
): Promise<T> {
  const before = await queryRow(tx, lock, [id, organizationId]);
  const changed = await change();
  if (before?.requires_rehearsal !== true || changed === undefined || changed.version === before.version)
    return changed;
  if ((await queryRow(tx, rehearsed, [id, organizationId, changed.version])) === undefined)
    throw new PublicError('invalid_state', { sentence: requiresRehearsal });
  return changed;
}

const name = statement('name-rehearsals-of-version')`
  update rehearsals h set version = $3
    where h.agent_id = $1 and h.organization_id = $2 and h.version is null and exists (
      select from jsonb_populate_record(null::agents, h.content) x, agent_at($1, $3::integer) v
        where ${contentOf('x')} = ${contentOf('v')})`;

/**
 * Gives rehearsals of a draft the number of the version that publishes exactly their content. Reads at most the agent's
 * kept rehearsals.
 */
export async function nameRehearsals(
  tx: Transaction,
  { id, organizationId }: AgentKey,
  version: number,
): Promise<void> {
  await queryRows(tx, name, [id, organizationId, version]);
}

const requiresRehearsal =
  'This agent requires a passed rehearsal of exactly what is published, and there is none. Save the change as a draft, rehearse the draft until every turn passes, then publish it without changing it again.';

/** @returns one text for the audit event if the agent's rule about rehearsals has changed; otherwise an empty array */
export function ruleChange(before: Rule, after: Rule): string[] {
  if (before.requires_rehearsal === after.requires_rehearsal) return [];
  return [after.requires_rehearsal ? 'requires a rehearsal' : 'no longer requires a rehearsal'];
}
