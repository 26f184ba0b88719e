/**
 * Made-up signals, queries and updates at every workflow, from a seed; and conversations that must be answered all the
 * same.
 */
import { randomUUID } from 'node:crypto';
import { WorkflowNotFoundError } from '@temporalio/client';
import fc from 'fast-check';
import {
  channelCheckUpdate,
  channelWorkflowId,
  controlSignal,
  conversationWorkflowId,
  nudgeSignal,
  recentRunsQuery,
  statusQuery,
  toolActionWorkflowId,
} from '../../src/contract/workflows.ts';
import { randomOf } from '../chaos/random.ts';
import type { ChannelStand } from '../support/channel-stand.ts';
import { until } from '../support/until.ts';

interface Input {
  kind: 'signal' | 'query' | 'update';
  name: string;
  args: unknown[];
  /** Bytes that no converter can read, instead of the arguments. */
  unreadable: boolean;
}

export interface Fuzzed {
  inputs: number;
  conversations: number;
  messages: number;
  unanswered: number;
  /** Conversations whose workflow recovery replaced. */
  replaced: number;
  /** Channels whose next step did not get through. */
  stuckChannels: number;
}

/** A conversation meets so many inputs before its last message. */
const perConversation = 20;
/** One in so many meets, at its end, a signal that nobody can read: recovery replaces its workflow, a minute later. */
const perUnreadable = 10;
const atOnce = 10;
/** A query of a workflow that fails, and an update that a workflow does not know, get no answer. */
const callMs = { signal: 30_000, query: 3000, update: 1500 };
const patienceMs = 180_000;

const times = fc.oneof(
  fc.constantFrom(0, -1, NaN, 1e18, -1e300, 1e300, 8.64e15, 8.65e15, Number.MAX_SAFE_INTEGER, 5e-324),
  fc.double(),
  fc.integer({ min: 1_700_000_000_000, max: 4_000_000_000_000 }),
);
const data = fc.oneof(
  { weight: 3, arbitrary: fc.record({ at: fc.oneof(times, fc.jsonValue()) }) },
  { weight: 2, arbitrary: fc.constantFrom<unknown>('flush', 'stopFollowUps', 'close') },
  {
    weight: 2,
    arbitrary: fc.constantFrom<unknown>(
      'Flush',
      ' close',
      'CLOSE',
      '',
      'constructor',
      0,
      null,
      [],
      {},
      { a: 1 },
    ),
  },
  { weight: 2, arbitrary: fc.uuid() },
  { weight: 3, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
);
const args: fc.Arbitrary<unknown[]> = fc.oneof(
  { weight: 1, arbitrary: fc.constant<unknown[]>([]) },
  { weight: 6, arbitrary: data.map((one) => [one]) },
  { weight: 1, arbitrary: fc.array(data, { minLength: 2, maxLength: 4 }) },
);
const known = {
  signal: [nudgeSignal.name, controlSignal.name, nudgeSignal.name, controlSignal.name, 'wake', 'toString'],
  query: [statusQuery.name, recentRunsQuery.name, '__stack_trace', 'unknown'],
  update: [channelCheckUpdate.name, channelCheckUpdate.name, 'unknown'],
};
const inputs: fc.Arbitrary<Input> = fc
  .oneof(
    { weight: 12, arbitrary: fc.constant<Input['kind']>('signal') },
    { weight: 4, arbitrary: fc.constant<Input['kind']>('query') },
    { weight: 1, arbitrary: fc.constant<Input['kind']>('update') },
  )
  .chain((kind) =>
    fc.record({
      kind: fc.constant(kind),
      name: fc.constantFrom(...known[kind]),
      args,
      unreadable: fc.constant(false),
    }),
  );

/** @param count of inputs @param note called with the progress */
export async function fuzzWorkflows(
  stand: ChannelStand,
  { count, seed, note }: { count: number; seed: number; note: (line: string) => void },
): Promise<Fuzzed> {
  const { stack } = stand;
  const { api, db } = stack;
  const random = randomOf(seed, 'conversations');
  const made = fc.sample(inputs, { seed, numRuns: count });
  const followUps = [{ after_seconds: 3600, instructions: 'still there?' }];
  const agents = await Promise.all([
    api.createAgent({ script: [{ reply: 'ok' }] }),
    api.createAgent({ script: [{ reply: 'ok' }], grouping_window_seconds: 1, follow_ups: followUps }),
    api.createAgent({ script: [{ reply: 'ok', delay_ms: 300 }], follow_ups: followUps }),
  ]);
  const channel = await stand.connected([{ reply: 'ok' }]);
  const conversations: string[] = [];
  let given = 0;
  let messages = 0;

  const lots = Array.from({ length: Math.ceil(count / perConversation) }, (_, lot) => ({
    lot,
    agent: random.pick(agents).id,
    inputs: made.slice(lot * perConversation, (lot + 1) * perConversation),
    /** After which inputs the user writes. */
    writesAfter: new Set([random.whole(0, perConversation), random.whole(0, perConversation)]),
    pauses: Array.from({ length: perConversation }, () => (random.chance(0.2) ? random.whole(0, 400) : 0)),
  }));
  const unanswered = async (of: readonly string[]) => {
    const { rows } = await db.pool.query<{ open: number }>(
      `select count(*)::integer as open from messages m join runs r on r.id = m.run_id
         where m.origin = 'user' and m.conversation_id = any($1) and r.state not in ('answered', 'handed_over')`,
      [of],
    );
    return rows[0]?.open ?? 0;
  };
  const play = async (lot: (typeof lots)[number]) => {
    const { conversation_id } = await api.send(lot.agent, { message: 'hello' });
    conversations.push(conversation_id);
    messages += 1;
    const write = async () => {
      await api.send(lot.agent, { message: 'and more', conversation_id });
      messages += 1;
    };
    for (const [index, input] of lot.inputs.entries()) {
      // One in ten goes to another workflow.
      const target =
        index % 10 === 9
          ? others[(lot.lot + index) % others.length]!
          : conversationWorkflowId(conversation_id);
      await give(stand, target, input);
      given += 1;
      if (lot.writesAfter.has(index)) await write();
      await new Promise((resolve) => setTimeout(resolve, lot.pauses[index]));
    }
    if (lot.lot % perUnreadable === 0) {
      const unreadable: Input = { kind: 'signal', name: nudgeSignal.name, args: [], unreadable: true };
      // An earlier input may have closed the conversation: a message opens it again.
      while (!(await give(stand, conversationWorkflowId(conversation_id), unreadable))) await write();
      given += 1;
      // The last message would be answered without the workflow if it joined a group that an activity is about to
      // claim, or if an activity waited for it.
      const workflow = stack.temporal.client.workflow.getHandle(conversationWorkflowId(conversation_id));
      await until(
        'the messages before to be answered, and no activity to wait for more',
        async () =>
          (await unanswered([conversation_id])) === 0 &&
          (await workflow.describe()).raw.pendingActivities?.length === 0,
        patienceMs,
      );
    }
    await write();
  };
  const others = [
    channelWorkflowId(channel.id),
    await housekeeping(stand),
    toolActionWorkflowId(randomUUID()),
  ];
  const left = [...lots];
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let lot = left.shift(); lot !== undefined; lot = left.shift()) {
        await play(lot);
        if (given % 500 < perConversation) note(`${given} inputs given`);
      }
    }),
  );
  let open = 0;
  await until(
    () => `${open} messages are unanswered`,
    async () => (open = await unanswered(conversations)) === 0,
    patienceMs,
  ).catch((error: unknown) => {
    note(String(error));
  });
  const { rows } = await db.pool.query<{ n: number }>(
    'select count(*)::integer as n from recoveries where replaced > 0 and conversation_id = any($1)',
    [conversations],
  );
  const step = await stand.call('POST', `/agents/${channel.id}/channel/verify`);
  return {
    ...{ inputs: given, conversations: conversations.length, messages, unanswered: open },
    replaced: rows[0]?.n ?? 0,
    stuckChannels: step.status === 200 ? 0 : 1,
  };
}

/** Returns the recovery workflow that runs. */
async function housekeeping({ stack }: ChannelStand): Promise<string> {
  const { client } = stack.temporal;
  return await until('the sweep', async () => {
    for await (const { workflowId } of client.workflow.list({ query: "WorkflowType = 'sweep'" }))
      return workflowId;
    return undefined;
  });
}

/**
 * Sends an input. It may be refused, or not accepted in time: only the state of the conversations counts.
 * @returns whether it was accepted
 */
async function give({ stack }: ChannelStand, workflowId: string, input: Input): Promise<boolean> {
  const { client, namespace } = stack.temporal;
  const handle = client.workflow.getHandle(workflowId);
  const call = async (): Promise<unknown> => {
    if (input.unreadable) {
      return await client.workflowService.signalWorkflowExecution({
        ...{ namespace, workflowExecution: { workflowId }, signalName: input.name, requestId: randomUUID() },
        input: {
          payloads: [{ metadata: { encoding: Buffer.from('json/plain') }, data: Buffer.from('{no') }],
        },
      });
    }
    switch (input.kind) {
      case 'signal':
        await handle.signal(input.name, ...input.args);
        return undefined;
      case 'query':
        return await handle.query(input.name, ...input.args);
      case 'update':
        return await handle.executeUpdate(input.name, { args: input.args as [unknown] });
    }
  };
  try {
    await client.withDeadline(Date.now() + callMs[input.kind], call);
    return true;
  } catch (error) {
    // A signal that cannot be given at all would prove nothing: only a workflow that has ended takes none.
    if (input.kind === 'signal' && !(error instanceof WorkflowNotFoundError)) throw error;
    return false;
  }
}
