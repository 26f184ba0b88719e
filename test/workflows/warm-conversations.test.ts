/** A conversation whose user answers quickly: one activity answers several inputs, and nothing else changes. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultPayloadConverter } from '@temporalio/common';
import {
  controlSignal,
  conversationWorkflowId,
  recentRunsQuery,
  type Control,
} from '../../src/contract/workflows.ts';
import { freePort } from '../../src/local/ports.ts';
import { projectRoot } from '../../src/local/project-root.ts';
import { readExposition, valueOf } from '../support/exposition.ts';
import type { Plant } from '../support/interleavings/load-simulated.ts';
import { useStack } from '../support/stack.ts';
import { startTraceReceiver, type TraceReceiver } from '../support/trace-receiver.ts';
import { until } from '../support/until.ts';
import { echo, warmTalk } from '../support/warm-talk.ts';

/**
 * After a pause of its process, a worker keeps no conversation warm for a while, and an activity ends at a callback
 * that takes a second. Here a stall of the machine must do neither.
 */
const patience: Plant[] = [
  {
    file: 'src/worker/warm-conversations.ts',
    find: 'const maxLagMs = 250;',
    put: 'const maxLagMs = 60_000;',
  },
  {
    file: 'src/app/conversations/advance-run.ts',
    find: 'const quickCallbackMs = 1000;',
    put: 'const quickCallbackMs = 10_000;',
  },
];

describe('A warm conversation', () => {
  let traces: TraceReceiver;
  const stack = useStack(async () => {
    traces = await startTraceReceiver();
    const observed = {
      LOG_LEVEL: 'debug',
      WORKER_PORT: String(await freePort()),
      OTEL_EXPORTER_OTLP_ENDPOINT: traces.url,
      NODE_OPTIONS: `--import ${join(projectRoot, 'test/approvals/die-at-statement.ts')}`,
      PLANT: JSON.stringify(patience),
    };
    return { workers: 1, apis: 1, env: { WARM_TURNS: '10', ...observed } };
  });
  after(async () => {
    await traces.close();
  });
  const workflow = (id: string) => stack().temporal.client.workflow.getHandle(conversationWorkflowId(id));
  const eventsOf = async (id: string) => (await workflow(id).fetchHistory()).events ?? [];
  const claims = async (id: string) =>
    (await eventsOf(id)).filter(
      (event) => event.activityTaskScheduledEventAttributes?.activityType?.name === 'startRun',
    ).length;
  const runsOf = async (id: string) =>
    await stack()
      .db.knex<{ id: string; finished_at: Date; conversation_id: string; ordinal: number }>('runs')
      .where({ conversation_id: id })
      .orderBy('ordinal')
      .select('id', 'finished_at');
  const servedBy = async (id: string) => {
    const rows = await stack()
      .db.knex<{ id: string; served_by: string | null }>('conversations')
      .where({ id })
      .select('served_by');
    return rows[0]?.served_by ?? null;
  };

  const talk = async (contact: string, turns: number) => await warmTalk(stack(), contact, turns);

  it('answers quick inputs in one activity, up to ten', async () => {
    const { id, assertAnswered } = await talk('quick', 8);
    await assertAnswered(8);
    // The first run is answered cold, and the second is the first that keeps the conversation warm.
    assert.equal(await claims(id), 2);
    assert.match((await servedBy(id)) ?? '', /^[\da-f-]{36}\/[\da-f-]{36}$/);
  });

  it('stays cold for a single message', async () => {
    const { id } = await talk('single', 1);
    assert.equal(await servedBy(id), null);
    await until('the activity to end', async () =>
      (await eventsOf(id)).some((event) => event.activityTaskCompletedEventAttributes),
    );
  });

  it('ends after ten runs, and its workflow has each of them', async () => {
    const { id, assertAnswered } = await talk('many', 12);
    await assertAnswered(12);
    assert.equal(await claims(id), 3);
    const recent = await until('the workflow to know the runs', async () => {
      const known = await workflow(id).query(recentRunsQuery);
      return known.length === 10 && known;
    });
    const rows = await runsOf(id);
    assert.deepEqual(
      recent.map(({ runId, callback }) => [runId, callback]),
      rows.slice(1, 11).map((row) => [row.id, 'delivered']),
    );
  });

  it('answers each of many inputs at once, in order, and none twice', async () => {
    const { api, receiver } = stack();
    const agent = await api.createAgent(echo);
    const conversations = 20;
    const turns = 8;
    await Promise.all(
      Array.from({ length: conversations }, async (_, number) => {
        const path = `/warm/burst-${number}`;
        const contact = { id: `burst-${number}` };
        let id = '';
        for (let turn = 1; turn <= turns; turn++) {
          const sent = await api.send(agent.id, {
            message: `message ${turn}`,
            contact,
            webhook_url: receiver.url(path),
          });
          id = sent.conversation_id;
          // Every second message is sent without waiting for the answer to the one before.
          if (turn % 2 === 0) await receiver.waitFor(path, turn, 60_000);
        }
        await api.settled(id, turns, 60_000);
        const answers = (await api.messages(id)).filter(({ role }) => role === 'agent');
        assert.deepEqual(
          answers.map(({ text }) => text),
          Array.from({ length: turns }, (_, index) => `echo: message ${index + 1}`),
        );
        assert.equal((await receiver.waitFor(path, turns)).length, turns);
      }),
    );
  });

  it('waits for the window of a group, and answers its inputs together', async () => {
    const { api, receiver } = stack();
    const agent = await api.createAgent({ ...echo, grouping_window_seconds: 1.5 });
    const path = '/warm/grouped';
    const send = async (message: string) =>
      await api.send(agent.id, { message, contact: { id: 'grouped' }, webhook_url: receiver.url(path) });
    let id = '';
    for (let group = 1; group <= 4; group++) {
      ({ conversation_id: id } = await send(`${group}a`));
      await send(`${group}b`);
      await receiver.waitFor(path, group, 40_000);
    }
    const answers = (await api.messages(id)).filter(({ role }) => role === 'agent');
    assert.deepEqual(
      answers.map(({ text }) => text),
      [1, 2, 3, 4].map((group) => `echo: ${group}a\n${group}b`),
    );
  });

  it("shows in Temporal's UI that it waits, and since when", async () => {
    const { id } = await talk('seen', 3);
    const details = await until('a heartbeat', async () => {
      const [pending] = (await workflow(id).describe()).raw.pendingActivities ?? [];
      const [payload] = pending?.heartbeatDetails?.payloads ?? [];
      return payload && defaultPayloadConverter.fromPayload<Record<string, unknown>>(payload);
    });
    assert.equal(details['doing'], 'waiting for the next message');
    assert.ok(Number(details['answered']) >= 1, JSON.stringify(details));
    assert.ok(Math.abs(Date.now() - Date.parse(String(details['since']))) < 30_000);
  });

  it('has each run in the result of its activity', async () => {
    const { id } = await talk('result', 4);
    await workflow(id).signal(controlSignal, 'stopFollowUps');
    const result = await until('the activity to end', async () => {
      const ends = (await eventsOf(id)).flatMap((event) => event.activityTaskCompletedEventAttributes ?? []);
      const results = ends.flatMap(({ result }) => result?.payloads ?? []);
      return results
        .map((payload) => defaultPayloadConverter.fromPayload<Record<string, unknown> | undefined>(payload))
        .find((one) => one !== undefined && 'earlier' in one);
    });
    const rows = await runsOf(id);
    const asShown = ({ finished_at, ...row }: { id: string; finished_at: Date }) => [
      row.id,
      'answer',
      'delivered',
      finished_at.getTime(),
    ];
    const about = (run: Record<string, unknown>, outcome: string, at: string) => [
      run['runId'],
      run[outcome],
      run['callback'],
      run[at],
    ];
    const earlier = result['earlier'] as Record<string, unknown>[];
    const shown = [...earlier.map((run) => about(run, 'outcome', 'at')), about(result, 'next', 'answeredAt')];
    assert.deepEqual(
      shown.map(([run, ...rest]) => [run, ...rest.slice(0, 2)]),
      rows.slice(1).map((row) => asShown(row).slice(0, 3)),
    );
    for (const [index, row] of rows.slice(1).entries())
      assert.ok(Math.abs(Number(shown[index]?.[3]) - row.finished_at.getTime()) < 5000);
  });

  it('has a log line, a trace and metrics of each run', async () => {
    const { env, logs } = stack();
    const counted = async (name: string, labels: Record<string, string> = {}) => {
      const response = await fetch(`http://127.0.0.1:${env['WORKER_PORT']}/metrics`);
      return valueOf(readExposition(await response.text()), name, labels);
    };
    const ended = ['parley_runs_ended_total', { outcome: 'answered' }] as const;
    const lags = 'parley_queue_lag_seconds_count';
    const before = { runs: await counted(...ended), lags: await counted(lags) };
    const { id } = await talk('observed', 4);
    assert.notEqual(await servedBy(id), null);
    assert.equal(await counted(...ended), before.runs + 4);
    assert.equal(await counted(lags), before.lags + 4);
    const rows = await runsOf(id);
    const lines = readFileSync(logs.worker, 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter((line) => line['conversation_id'] === id && line['msg'] === 'warm run ended');
    assert.deepEqual(
      lines.map((line) => [line['run_id'], line['outcome'], line['callback']]),
      rows.slice(1).map((row) => [row.id, 'answer', 'delivered']),
    );
    for (const row of rows)
      await traces.traceWith(
        `run ${row.id}`,
        ({ name, attributes }) =>
          name === 'RunWorkflow:conversation' && attributes['parley.run_id'] === row.id,
      );
  });

  it('is erased while it waits, and its contact can write again', async () => {
    const { api, db } = stack();
    const { id, say } = await talk('erased', 3);
    assert.notEqual(await servedBy(id), null);
    assert.equal((await api.call('DELETE', `/conversations/${id}`)).status, 204);
    await until('the rows to be gone', async () => {
      const rows: unknown[] = await db.knex('conversations').where({ id }).select('id');
      return rows.length === 0;
    });
    await say(4);
  });

  const commands: [command: Control, is: string][] = [
    ['flush', 'RUNNING'],
    ['stopFollowUps', 'RUNNING'],
    ['close', 'COMPLETED'],
  ];
  for (const [command, is] of commands) {
    it(`ends its wait at an operator's ${command}`, async () => {
      const { id, say, assertAnswered } = await talk(`control-${command}`, 3);
      assert.notEqual(await servedBy(id), null);
      await workflow(id).signal(controlSignal, command);
      await until('the activity to end', async () => {
        const { status, raw } = await workflow(id).describe();
        return (raw.pendingActivities ?? []).length === 0 && status.name === is;
      });
      assert.equal(await servedBy(id), null);
      await say(4);
      await assertAnswered(4);
    });
  }

  it('answers an input of which its worker was not notified', async () => {
    const { say, assertAnswered } = await talk('untold', 3);
    const { db } = stack();
    // Ends the worker's LISTEN, and keeps it from hearing of the next input.
    await db.knex.raw(
      "select pg_terminate_backend(pid) from pg_stat_activity where query like 'listen %' and datname = current_database()",
    );
    await say(4);
    await assertAnswered(4);
  });

  it('continues while Temporal cannot be reached, and after it', async () => {
    const { temporalLine } = stack();
    const { say, assertAnswered } = await talk('alone', 3);
    await temporalLine.cut();
    try {
      for (const turn of [4, 5, 6]) await say(turn);
    } finally {
      await temporalLine.restore();
    }
    await say(7);
    await assertAnswered(7);
  });

  it('is handed over when its worker stops, and the worker ends in order', async () => {
    const warm = await Promise.all(Array.from({ length: 12 }, (_, number) => talk(`stopped-${number}`, 3)));
    const { worker } = stack();
    assert.equal(await worker.stop(), 'exit code 0');
    for (const { id } of warm) assert.equal(await servedBy(id), null);
    await worker.start();
    for (const { say, assertAnswered } of warm) {
      await say(4);
      await assertAnswered(4);
    }
  });

  it('is answered by another worker after its own was killed', async () => {
    const { say, assertAnswered } = await talk('killed', 3);
    const { worker } = stack();
    await worker.kill();
    await worker.start();
    await say(4);
    await assertAnswered(4);
  });
});
