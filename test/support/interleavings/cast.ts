/** Rows that all scenes share: an organization, its token, agents in pairs that transfer to each other. */
import { randomUUID } from 'node:crypto';
import type { Database } from '../../../src/adapters/postgres/database.ts';
import { pairs } from './interleaving.ts';
import type { Scene } from './scene.ts';

export interface Cast {
  organizationId: string;
  tokenId: string;
  agents: [string, string][];
  /** Scenes by conversation, and by run if an activity has only the run. */
  scenes: Map<string, Scene>;
  /** Distinguishes the attempts with one seed. */
  take: number;
}

export function newCast(): Cast {
  const agents = pairs.map((): [string, string] => [randomUUID(), randomUUID()]);
  return { organizationId: randomUUID(), tokenId: randomUUID(), agents, scenes: new Map(), take: 0 };
}

export async function saveCast(db: Database, { organizationId, tokenId, agents }: Cast): Promise<void> {
  await db.knex('organizations').insert({ id: organizationId, name: 'interleavings' });
  await db.knex('api_tokens').insert({
    id: tokenId,
    organization_id: organizationId,
    name: 'interleavings',
    prefix: 'pk_',
    secret_hash: Buffer.from(tokenId),
  });
  for (const [index, ids] of agents.entries()) {
    for (const [side, rules] of pairs[index]!.entries()) {
      await db.knex('agents').insert({
        id: ids[side],
        organization_id: organizationId,
        name: `agent ${index}/${side}`,
        grouping_window_seconds: rules.windowMs / 1000,
        grouping_max_seconds: rules.windowMs === 0 ? null : rules.capMs / 1000,
        grouping_max_messages: rules.most,
        input_during_run: rules.merges ? 'cancel_and_merge' : 'next_group',
        follow_ups: JSON.stringify(
          rules.followUps.map((ms) => ({ after_seconds: ms / 1000, instructions: 'ask' })),
        ),
        transfers_to: [ids[1 - side]],
        inbox_id: randomUUID(),
      });
    }
  }
}
