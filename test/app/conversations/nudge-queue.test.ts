import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { ServiceError } from '@temporalio/client';
import { NudgeQueue } from '../../../src/app/conversations/accept-input.ts';
import { createLog } from '../../../src/log.ts';
import { until } from '../../support/until.ts';

const conversation = (id: string, organizationId = 'org') => ({
  ...{ id, organizationId, agentId: 'agent', channel: 'api' as const },
});

/** A Temporal that takes or refuses nudges by `answer`, and the nudges that it got. */
function queueTo(answer: () => unknown) {
  const sent: { id: string; dueAtMs: number }[] = [];
  const queue = new NudgeQueue({
    send: async ({ id }, dueAtMs) => {
      sent.push({ id, dueAtMs });
      await answer();
    },
    log: createLog('test', 'silent'),
  });
  return { queue, sent, ids: () => sent.map(({ id }) => id) };
}

function grpcError(code: number): Error {
  const cause = Object.assign(new Error('from Temporal'), { code, details: '', metadata: {} });
  return new ServiceError('Failed to signalWithStart Workflow', { cause });
}
const [invalidArgument, unavailable] = [3, 14];

describe('Nudges after the answer to a call', () => {
  it('the call does not wait for its nudge; shutdown does', async () => {
    const held = Promise.withResolvers<undefined>();
    const { queue, ids } = queueTo(() => held.promise);
    await queue.add(conversation('a'));
    assert.deepEqual(ids(), ['a']);
    let closed = false;
    const closing = queue.close(10_000).then(() => (closed = true));
    await turn();
    assert.equal(closed, false);
    held.resolve(undefined);
    await closing;
  });

  it('shutdown does not wait longer than its deadline', async () => {
    const { queue } = queueTo(() => Promise.withResolvers<undefined>().promise);
    await queue.add(conversation('a'));
    await queue.close(20);
  });

  it('with 100 nudges of an organization in progress its next call waits, and calls of others do not', async () => {
    const held = Promise.withResolvers<undefined>();
    const { queue, sent } = queueTo(() => held.promise);
    for (let n = 0; n < 100; n++) await queue.add(conversation(`a${n}`, 'a'));
    let taken = false;
    const waits = queue.add(conversation('one more', 'a')).then(() => (taken = true));
    await queue.add(conversation('b', 'b'));
    assert.deepEqual([taken, sent.length], [false, 101]);
    held.resolve(undefined);
    await waits;
    assert.equal(sent.length, 102);
  });

  it('while Temporal is unreachable nudges are kept, one for each conversation with the earliest time, and sent when it is back', async () => {
    let away = true;
    const { queue, sent } = queueTo(() => {
      if (away) throw grpcError(unavailable);
    });
    await queue.add(conversation('a'), 1000);
    await until('the first failure', () => queue.unreachableMs() > 0);
    await queue.add(conversation('b'), 3000);
    await queue.add(conversation('b'), 2000);
    await queue.add(conversation('b'), 4000);
    await until('a second attempt', () => sent.length >= 2);
    sent.length = 0;
    away = false;
    await until('both to be sent', () => sent.length >= 2);
    assert.deepEqual(
      sent.sort((a, b) => a.dueAtMs - b.dueAtMs),
      [
        { id: 'a', dueAtMs: 1000 },
        { id: 'b', dueAtMs: 2000 },
      ],
    );
    assert.equal(queue.unreachableMs(), 0);
    await queue.close(1000);
    assert.equal(sent.length, 2);
  });

  it('after an outage the first nudges of every organization are sent before the last ones of any', async () => {
    let away = true;
    const { queue, ids } = queueTo(() => {
      if (away) throw grpcError(unavailable);
    });
    await queue.add(conversation('first', 'a'));
    await until('the first failure', () => queue.unreachableMs() > 0);
    for (let n = 0; n < 3000; n++) await queue.add(conversation(`a${n}`, 'a'));
    await queue.add(conversation('b', 'b'));
    away = false;
    await until('all that were kept', () => new Set(ids()).size >= 2001);
    await queue.close(10_000);
    assert.ok(ids().indexOf('b') < 100, String(ids().indexOf('b')));
    // The others of that organization are left to recovery.
    assert.ok(new Set(ids()).size <= 2002, String(new Set(ids()).size));
  });

  it('a nudge that Temporal refuses is not repeated, and does not count as an outage', async () => {
    const { queue, ids } = queueTo(() => {
      throw grpcError(invalidArgument);
    });
    await queue.add(conversation('a'));
    await queue.close(1000);
    assert.deepEqual([ids(), queue.unreachableMs()], [['a'], 0]);
  });
});
