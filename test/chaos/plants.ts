/** Planted faults: a copy of the source with one guarantee taken out. The checker must see each of them. */
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from '../../src/local/project-root.ts';
import type { FaultKind } from './plan-faults.ts';

export type Plant = {
  name: string;
  /** Replacements of source text, by file. */
  edits: readonly (readonly [file: string, from: string, to: string])[];
  /** Done to the database before the run. */
  sql?: string;
  /** The faults that bring it to light. */
  faults: readonly FaultKind[];
  /** How many times as many of them as in an ordinary run. */
  dose: number;
  /** The breach that the checker must report. */
  seen: RegExp;
};

const posting = 'src/app/conversations/post-callback.ts';
const outbox = 'src/app/conversations/post-callback.ts';
const deliveries = 'src/adapters/postgres/conversations/deliveries.ts';
const attempting =
  "if (row.status === 'attempting') return await leftAttempting(deps, deliveryId, row.attempted_ms_ago ?? 0);";
const final = "if (row.status !== 'pending') return row.status;";
const conditional = "where d.id = $1 and d.status = 'pending' and not";

export const plants: readonly Plant[] = [
  {
    name: 'retries without a claim',
    edits: [
      [posting, attempting, ''],
      [posting, final, "if (row.status !== 'pending' && row.status !== 'attempting') return row.status;"],
      [deliveries, conditional, "where d.id = $1 and d.status in ('pending', 'attempting') and not"],
    ],
    faults: ['workerKill'],
    dose: 2,
    seen: /I2 .* was received \d+ times/,
  },
  {
    name: 'reset without a claim',
    edits: [
      [posting, attempting, ''],
      [posting, final, ''],
      [deliveries, conditional, 'where d.id = $1 and not'],
    ],
    faults: ['workflowReset', 'activityReset'],
    dose: 6,
    seen: /I2 .* was received \d+ times/,
  },
  {
    name: 'claim looked up, then written',
    edits: [
      [outbox, 'if (known !== undefined) return known;', ''],
      [posting, attempting, ''],
      [
        deliveries,
        'return (await queryRows(db, claim, [id, requestBody, signed])).length === 1;',
        "const found = await findDelivery(db, id);\n  await new Promise((resolve) => setTimeout(resolve, 3000));\n  await queryRows(db, { ...claim, name: 'c', text: claim.text.replace(\"and status = 'pending'\", '') }, [id, requestBody, signed]);\n  return found?.status === 'pending' || found?.status === 'attempting';",
      ],
    ],
    faults: ['workflowReset', 'activityReset', 'workflowTerminate'],
    dose: 6,
    seen: /I2 .* was received \d+ times/,
  },
  {
    name: 'replies without a claim',
    edits: [
      [
        'src/app/whatsapp/send-reply.ts',
        'const earlier = sends.get(step.partNo);',
        'const earlier = undefined;',
      ],
      [
        'src/app/whatsapp/send-part.ts',
        'const claim = await claimSend(db, where, earlier);',
        "await claimSend(db, where, earlier);\n  const { rows } = await db.pool.query('select recipient from deliveries where id = $1', [reply.id]);\n  const claim: any = { outcome: 'claimed', number: rows[0].recipient };",
      ],
    ],
    faults: ['workerKill', 'workflowReset', 'activityReset'],
    dose: 3,
    seen: /I2 reply .* was received \d+ times/,
  },
  {
    name: 'events looked up, then written',
    edits: [],
    sql: `do $$
      declare
        v_source text := pg_get_functiondef('accept_gateway_message(jsonb, timestamptz)'::regprocedure);
        v_once text := 'on conflict (agent_id, gateway_message_id) where outcome <> ''ignored'' do update set repeats = gateway_events.repeats + 1';
        v_insert text := 'insert into gateway_events (id, agent_id, gateway_message_id, outcome, received_at)';
      begin
        if position(v_once in v_source) = 0 or position(v_insert in v_source) = 0 then
          raise 'accept_gateway_message does not hold what was to be replaced';
        end if;
        execute replace(replace(v_source, v_once, ''), v_insert, 'if exists (select from gateway_events e where e.agent_id = v_agent
          and e.gateway_message_id = p->>''gateway_message_id'') then return jsonb_build_object(''outcome'', ''duplicate''); end if;
          perform pg_sleep(0.1); ' || v_insert);
      end $$;
      drop index gateway_events_once`,
    faults: ['apiKill'],
    dose: 1,
    seen: /I1 event .* was taken \d+ times/,
  },
  {
    name: 'keys looked up, then written',
    edits: [],
    sql: `alter table idempotency_keys drop constraint idempotency_keys_pkey;
      create function late() returns trigger language plpgsql as $$ begin perform pg_sleep(0.1); return new; end $$;
      create trigger late before insert on idempotency_keys for each row execute function late()`,
    faults: ['apiKill'],
    dose: 1,
    seen: /I1 .* was taken \d+ times|repeats were told/,
  },
  {
    name: 'signals dropped, nobody sweeps',
    edits: [
      [
        'src/app/conversations/accept-input.ts',
        'if (accepted.wake_at === null) return;',
        'if (accepted.wake_at === null || accepted.message_id.charCodeAt(35) % 4 !== 0) return;',
      ],
      [
        'src/app/conversations/recover.ts',
        'await findStalled(deps.db, batch)',
        '(await findStalled(deps.db, batch)).slice(0, 0)',
      ],
    ],
    faults: ['workerKill'],
    dose: 1,
    seen: /I1 .* has no end/,
  },
  {
    name: 'audit entries in a transaction of their own',
    edits: [
      [
        'src/api/endpoints/conversations/agents.ts',
        "await recordAudit(tx, caller, 'agent_created', agentTarget(made));",
        "setTimeout(() => void inTransaction(deps.db, (own) => recordAudit(own, caller, 'agent_created', agentTarget(made))).catch(() => undefined), 3000);",
      ],
    ],
    faults: ['apiKill', 'postgresKill'],
    dose: 2,
    seen: /I8 agent_created of .* was made and has 0 audit entries/,
  },
  {
    name: 'audit entries that are repeated',
    edits: [
      [
        'src/api/endpoints/accounts/tokens.ts',
        "await recordAudit(tx, person, 'token_revoked',",
        "await recordAudit(tx, person, 'token_revoked', `${revoked.name} (${revoked.prefix}…)`);\n      await recordAudit(tx, person, 'token_revoked',",
      ],
    ],
    faults: ['apiKill'],
    dose: 1,
    seen: /I8 token_revoked of .* was made and has 2 audit entries/,
  },
  {
    name: '202 before the row is written',
    edits: [
      [
        'src/api/endpoints/conversations/post-chat.ts',
        'const accepted = await deps.conversations.acceptOrKeep(input);',
        "const writing = (async () => {\n        await new Promise((resolve) => setTimeout(resolve, 3000));\n        return await deps.conversations.acceptOrKeep(input);\n      })();\n      writing.catch(() => undefined);\n      if (!input.sync) return { status: 202, body: { status: 'processing', conversation_id: input.targetId } };\n      const accepted = await writing;",
      ],
    ],
    faults: ['apiKill', 'postgresCut'],
    dose: 2,
    seen: /I1 .* was accepted and is lost/,
  },
];

/**
 * @param more files and folders that the copy needs beside the product's source
 * @throws Error if the text of an edit is no longer in its file: then the fault would not be planted
 */
export function plantedCopy(
  { edits }: Pick<Plant, 'edits'>,
  more: readonly string[] = [],
): { root: string; remove: () => void } {
  const root = mkdtempSync(join(tmpdir(), 'parley-planted-'));
  for (const folder of ['src', 'activities', 'workflows', 'package.json', ...more]) {
    cpSync(join(projectRoot, folder), join(root, folder), { recursive: true });
  }
  symlinkSync(join(projectRoot, 'node_modules'), join(root, 'node_modules'));
  for (const [file, from, to] of edits) {
    const path = join(root, file);
    const text = readFileSync(path, 'utf8');
    if (!text.includes(from)) throw new Error(`${file} does not hold: ${from}`);
    writeFileSync(path, text.replace(from, to));
  }
  return {
    root,
    remove: () => {
      rmSync(root, { recursive: true, force: true });
    },
  };
}
