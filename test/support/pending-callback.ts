/** A message whose callback is due, written as the run that made it would have. */
import { v7 as newId } from 'uuid';
import type { Database } from '../../src/adapters/postgres/database.ts';
import { acceptInput } from '../../src/adapters/postgres/conversations/inputs.ts';
import { createOrganization } from '../../src/adapters/postgres/accounts/organizations.ts';
import { Runs } from '../../src/adapters/postgres/conversations/runs.ts';
import type { Receiver } from './receiver.ts';

/** @returns the delivery's id, and the path it goes to */
export async function pendingCallback(
  db: Database,
  receiver: Pick<Receiver, 'url'>,
): Promise<{ id: string; path: string }> {
  const { id: organizationId } = await createOrganization(db, 'an organization');
  const agentId = newId();
  await db.knex('agents').insert({
    id: agentId,
    organization_id: organizationId,
    name: 'an agent',
    inbox_id: newId(),
  });
  const path = `/${newId()}`;
  const accepted = await acceptInput(db, {
    caller: { kind: 'system' },
    organizationId,
    targetId: agentId,
    text: 'Hello',
    sync: false,
    webhookUrl: receiver.url(path),
  });
  if (accepted.outcome !== 'accepted') throw new Error(accepted.outcome);
  const runs = new Runs(db);
  await runs.claim(accepted.conversation_id, {}, { id: 'a test', repeated: false });
  const step = await runs.record({
    ...{ run_id: accepted.run_id, step: 0, kind: 'answer' },
    ...{ text: 'Hi', model: 'scripted/default', input_tokens: 0, output_tokens: 0 },
    ...{ inputs: 1, credits: 0, message_credits: 0, truncated: false },
    ...{ agent_version: 1, model_id: 'scripted/default', model_ms: 0, history_turns: 0, was_cut: false },
  });
  if (step.next !== 'answer' || step.delivery === undefined) throw new Error(step.next);
  return { id: step.delivery.id, path };
}
