/** Runs that hold what all runs share: places of models and of scripts, names, steps. */
import type { Attack, Attacker } from '../attack.ts';

const noShares = [
  'src/limits/limiter.ts',
  'const perFreeSlot = { agent: 4, organization: 9 };',
  'const perFreeSlot = { agent: 1e9, organization: 1e9 };',
] as const;
/** Few slots, so that a short attack can take them all. */
const fewPlaces = { MODEL_CONCURRENCY: '20' };

const makeAgent = async (attacker: Attacker, fields: Record<string, unknown>) => {
  const { id } = await attacker.api.createAgent(fields);
  attacker.target.given['agent'] = id;
};

/** Each message begins a conversation of its own. */
const sendMany = async (attacker: Attacker, perSecond: number, body: Record<string, unknown>) => {
  await attacker.repeat(perSecond, 20, () =>
    attacker.call('POST', `/chat/${attacker.target.given['agent']}`, { body }),
  );
};

export const runs: readonly Attack[] = [
  {
    name: 'hanging-models',
    what: "A's model never answers: 5 more of its calls each second",
    env: fewPlaces,
    prepare: (attacker) => makeAgent(attacker, { instructions: 'Answer.' }),
    run: (attacker) => sendMany(attacker, 5, { message: 'HANG' }),
    plant: { edits: [noShares] },
  },
  {
    name: 'waiting-scripts',
    what: 'A has a script that waits for a minute, and sends it 5 messages a second',
    env: fewPlaces,
    prepare: (attacker) =>
      makeAgent(attacker, { model: 'scripted/default', script: [{ reply: 'late', delay_ms: 60_000 }] }),
    run: (attacker) => sendMany(attacker, 5, { message: 'a' }),
    plant: { edits: [noShares] },
  },
  {
    name: 'dead-names',
    what: "A's callbacks go to names whose name servers are silent, 8 a second",
    prepare: (attacker) => makeAgent(attacker, { model: 'scripted/default', script: [{ reply: 'called' }] }),
    run: async (attacker) => {
      await attacker.repeat(8, 20, (number) =>
        attacker.call('POST', `/chat/${attacker.target.given['agent']}`, {
          body: { message: 'a', webhook_url: `http://n${number}.dead.example/callback` },
        }),
      );
    },
    plant: {
      edits: [
        [
          'src/adapters/http/name-resolver.ts',
          'const questions = { max: 512, maxPerOwner: 16, maxWaiting: 500, maxWaitMs: 2000 };',
          'const questions = { max: 4, maxPerOwner: 4, maxWaiting: 500, maxWaitMs: 60_000 };',
        ],
      ],
    },
  },
  {
    name: 'killers',
    what: 'A sends a message whose model call takes its worker with it, each time that it is tried',
    // The first lost worker ends it; as shipped it is the third.
    env: { LOST_WORKERS: '1' },
    prepare: (attacker) => makeAgent(attacker, { instructions: 'Answer.' }),
    run: async (attacker) => {
      const body = { message: 'DEADLY' };
      await attacker.call('POST', `/chat/${attacker.target.given['agent']}`, { body });
      await attacker.rest();
    },
    // There is one worker: B waits until it is there again, and for what the lost one had begun.
    mayRestart: 1,
    mayWaitMs: 45_000,
    leastSeconds: 40,
    check: async ({ db, a }) => {
      const runsOfA = 'select state, error from runs where organization_id = $1';
      const { rows } = await db.pool.query<{ state: string; error: string | null }>(runsOfA, [
        a.organizationId,
      ]);
      const ended = rows.filter(
        ({ state, error }) => state === 'failed' && error?.startsWith('Its worker was lost once'),
      );
      return ended.length === 1 ? [] : [`the run did not end as failed: ${JSON.stringify(rows)}`];
    },
    plant: { env: { LOST_WORKERS: '1000' } },
  },
  {
    name: 'transfers-in-a-circle',
    what: 'two agents of A hand every message to each other, 3 a second',
    prepare: async (attacker) => {
      const make = (name: string, to: string) =>
        attacker.api.createAgent({
          name,
          model: 'scripted/default',
          script: [{ reply: 'go on', transfer_to: to }],
        });
      const [one, other] = [await make('one', 'other'), await make('other', 'one')];
      await attacker.api.changeAgent(one.id, { transfers_to: [other.id] });
      await attacker.api.changeAgent(other.id, { transfers_to: [one.id] });
      attacker.target.given['agent'] = one.id;
    },
    run: (attacker) => sendMany(attacker, 3, { message: 'a' }),
    plant: {
      edits: [
        [
          'src/domain/conversations/model-call.ts',
          'export const maxTransfers = 5;',
          'export const maxTransfers = 1e9;',
        ],
        [
          'src/domain/conversations/model-call.ts',
          'export const maxSteps = 12;',
          'export const maxSteps = 1e9;',
        ],
      ],
    },
  },
  {
    name: 'held-streams',
    what: 'A opens streams of a run that waits, 80 a second, and reads none of them',
    // A share of 120 calls.
    env: { MAX_CONNECTIONS: '600' },
    prepare: async (attacker) => {
      await makeAgent(attacker, { model: 'scripted/default', script: [{ reply: 'late', delay_ms: 60_000 }] });
      const { api, target } = attacker;
      const { conversation_id } = await api.send(String(target.given['agent']), { message: 'a' });
      const [message] = await api.messages(conversation_id);
      target.given['message'] = message?.id ?? '';
    },
    run: async (attacker) => {
      const { target } = attacker;
      const stop = new AbortController();
      attacker.atEnd(() => {
        stop.abort();
      });
      await attacker.repeat(80, 10_000, async () => {
        const answer = await fetch(`${target.origin}/v1/messages/${target.given['message']}/stream`, {
          headers: { authorization: `Bearer ${target.token}`, accept: 'text/event-stream' },
          signal: stop.signal,
        });
        attacker.count(answer.status);
        if (answer.status === 200) await attacker.rest();
        else await answer.text();
      });
    },
    plant: {
      seconds: 12,
      edits: [['src/api/admit.ts', '  shareOut(maxOpen);\n', '  shareOut(5 * maxOpen);\n']],
    },
  },
];
