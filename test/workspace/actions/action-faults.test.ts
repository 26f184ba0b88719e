/**
 * Each creating action, with each fault at its first write. The workspace has no idempotency key, so the test reads
 * what is in it afterwards: as much as after a run without a fault, never more, and the result is true.
 */
import assert from 'node:assert/strict';
import type { Fault } from '../../support/workspace/faults.ts';
import { actions } from '../../../src/workspace/registry.ts';
import { DyingLog } from './support/dying-log.ts';
import { everyAction, rowPlan } from './support/every-action.ts';
import { Harness, type Ran, type RunOptions } from './support/workspace-harness.ts';

const writes: Record<string, { method: string; path: RegExp }> = {
  ...Object.fromEntries(
    [
      'ADD_MULTIPLE_PAGE_CONTENT',
      'ADD_PAGE_CONTENT',
      'APPEND_BLOCK_CHILDREN',
      'APPEND_TEXT_BLOCKS',
      'APPEND_TASK_BLOCKS',
      'APPEND_CODE_BLOCKS',
      'APPEND_MEDIA_BLOCKS',
      'APPEND_LAYOUT_BLOCKS',
      'APPEND_TABLE_BLOCKS',
      'REPLACE_PAGE_CONTENT',
    ].map((name) => [`DOCS_${name}`, { method: 'PATCH', path: /^\/v1\/blocks\/[^/]+\/children$/ }]),
  ),
  ...Object.fromEntries(
    ['CREATE_DOCS_PAGE', 'DUPLICATE_PAGE', 'INSERT_ROW_DATABASE', 'INSERT_ROW_FROM_NL'].map((name) => [
      `DOCS_${name}`,
      { method: 'POST', path: /^\/v1\/pages$/ },
    ]),
  ),
  DOCS_CREATE_DATABASE: { method: 'POST', path: /^\/v1\/databases$/ },
  DOCS_CREATE_COMMENT: { method: 'POST', path: /^\/v1\/comments$/ },
  DOCS_CREATE_FILE_UPLOAD: { method: 'POST', path: /^\/v1\/file_uploads$/ },
};

const model = { model: () => Promise.resolve(rowPlan) };

describe('A creating action that meets a fault', () => {
  let harness: Harness;
  let start: ReturnType<Harness['emulator']['snapshot']>;
  let inputs: Record<string, Record<string, unknown>>;

  before(async () => {
    harness = await Harness.start();
    const { home, person } = harness.emulator.ids;
    ({ inputs } = await everyAction((id, input) => harness.ok(id, input, model), home, person));
    start = harness.emulator.snapshot();
  });
  after(() => harness.emulator.stop());
  beforeEach(() => {
    timeoutMs = 10_000;
    harness.emulator.restore(start);
    harness.emulator.faults.clear();
    harness.emulator.requests.length = 0;
  });

  /** How many objects there are, those in the trash aside. */
  const size = () => {
    const { entities, comments, uploads } = harness.emulator.snapshot();
    const alive = [...entities.values()].filter((one) => !('inTrash' in one && one.inTrash));
    return alive.length + comments.size + uploads.size;
  };
  /** Short only if an answer never comes: on a busy machine, a short one ends before other faults are seen. */
  let timeoutMs: number;
  const run = (id: string, options: RunOptions = {}) =>
    harness.run(id, inputs[id], { timeoutMs, ...model, ...options });
  /** Returns the size of the workspace after one undisturbed run. */
  const undisturbed = async (id: string): Promise<number> => {
    assert.ok((await run(id)).successful, id);
    const found = size();
    harness.emulator.restore(start);
    harness.emulator.requests.length = 0;
    return found;
  };
  const meets = (id: string, fault: Fault, times = 1) => {
    if (fault.kind === 'hang' || fault.kind === 'late') timeoutMs = 300;
    return harness.emulator.faults.add({ ...writes[id]!, fault, times });
  };
  const succeeded = ({ successful, error }: Ran) => {
    assert.ok(successful, error);
  };

  it('covers each action that the registry marks as creating', () => {
    const creating = new Set(['create', 'generated_create', 'multi_step']);
    const ids = actions.filter(({ effect }) => creating.has(effect)).map(({ id }) => id);
    assert.deepEqual(Object.keys(writes).sort(), ids.sort());
  });

  for (const id of Object.keys(writes)) {
    describe(id, () => {
      for (const [title, fault] of [
        ['the answer is lost after the write landed', { kind: 'lost-answer' }],
        ['the connection breaks before the write', { kind: 'reset' }],
        ['a 502 page of HTML after the write landed', { kind: 'bad-gateway', committed: true }],
        ['a 502 page of HTML, nothing written', { kind: 'bad-gateway' }],
        ['half an answer', { kind: 'cut-json', committed: true }],
        ['409 conflict', { kind: 'conflict' }],
        ['409 conflict, though it was written', { kind: 'conflict', committed: true }],
        ['an answer that cannot be read', { kind: 'wrong-json', body: { a: 1 }, committed: true }],
        ['no answer in time, though it was written', { kind: 'hang', committed: true }],
        ['504 after the write landed', { kind: 'gateway-timeout', committed: true }],
      ] satisfies [string, Fault][]) {
        it(`${title}: made once, and the result shows it`, async () => {
          const wanted = await undisturbed(id);
          const armed = meets(id, fault);
          succeeded(await run(id));
          assert.equal(armed.hits, 1);
          assert.equal(size(), wanted);
        });
      }

      it('no answer in time, and written after that: found, not sent again', async () => {
        const wanted = await undisturbed(id);
        const { promise: landing, resolve: land } = Promise.withResolvers<undefined>();
        meets(id, { kind: 'late', landing });
        // By the next look it is there.
        succeeded(
          await run(id, {
            onTransient: () => {
              land(undefined);
            },
          }),
        );
        assert.equal(size(), wanted);
      });

      for (const [title, fault] of [
        ['no answer in time', (landing: Promise<unknown>) => ({ kind: 'late', landing })],
        ['504', () => ({ kind: 'gateway-timeout' })],
      ] satisfies [string, (landing: Promise<unknown>) => Fault][]) {
        it(`${title}, and not there: it may still come, so it is never sent again, and the result shows it`, async () => {
          const wanted = await undisturbed(id);
          const { promise: landing, resolve: land } = Promise.withResolvers<undefined>();
          meets(id, fault(landing));
          const { successful, error } = await run(id);
          assert.equal(successful, false);
          assert.match(error ?? '', /^UNKNOWN_OUTCOME.*may still appear.*Check before you repeat/);
          const { method, path } = writes[id]!;
          assert.equal(harness.emulator.count(method, path), 1);
          land(undefined);
          await new Promise(setImmediate);
          assert.ok(size() <= wanted);
        });
      }

      it('429 with 90 s: waits for that time, then is made once', async () => {
        const wanted = await undisturbed(id);
        meets(id, { kind: 'rate-limited', retryAfter: 90 });
        const waits: (number | undefined)[] = [];
        succeeded(await run(id, { onTransient: ({ retryAfterMs }) => waits.push(retryAfterMs) }));
        assert.deepEqual(waits, [90_000]);
        assert.equal(size(), wanted);
      });

      it('429 to the end: the result reports that nothing more was written, and when to try again', async () => {
        const before = size();
        meets(id, { kind: 'rate-limited', retryAfter: 90 }, 100);
        const { successful, error } = await run(id);
        assert.equal(successful, false);
        assert.match(error ?? '', /^RATE_LIMITED \(HTTP 429\).*try again in 90 seconds/);
        assert.equal(size(), before);
      });

      it('the worker dies between the write and its record: found, not made again', async () => {
        const wanted = await undisturbed(id);
        const steps = new DyingLog();
        await assert.rejects(run(id, { steps }), /killed/);
        steps.dying = false;
        succeeded(await run(id, { steps }));
        assert.equal(size(), wanted);
      });

      it('while a request of a dead worker may still arrive, nothing is sent again', async () => {
        const steps = new DyingLog();
        meets(id, { kind: 'reset' });
        steps.dying = false;
        // Claimed by another attempt a moment ago, of which nothing more is known.
        const claimed: string[] = [];
        steps.claim = (name) => {
          claimed.push(name);
          return Promise.resolve('already_claimed');
        };
        steps.claimedMsAgo = () => Promise.resolve(1000);
        const waits: (number | undefined)[] = [];
        await assert.rejects(
          run(id, {
            steps,
            settleMs: 65_000,
            attempts: 1,
            onTransient: ({ retryAfterMs }) => waits.push(retryAfterMs),
          }),
          { name: 'StillInProgress', retryAfterMs: 64_000 },
        );
        assert.ok(claimed.length > 0);
        const { method, path } = writes[id]!;
        assert.equal(harness.emulator.count(method, path), 0);
      });
    });
  }

  it('an answer in a discussion whose outcome cannot be looked up is reported as unknown, and not repeated', async () => {
    const first = await harness.ok('DOCS_CREATE_COMMENT', inputs['DOCS_CREATE_COMMENT']);
    const before = size();
    harness.emulator.faults.add({ ...writes['DOCS_CREATE_COMMENT']!, fault: { kind: 'lost-answer' } });
    const { successful, error } = await harness.run('DOCS_CREATE_COMMENT', {
      comment: { content: 'Again' },
      discussion_id: first['discussion_id'],
    });
    assert.equal(successful, false);
    assert.match(error ?? '', /^UNKNOWN_OUTCOME.*Check before you repeat/);
    assert.equal(size(), before + 1);
  });
});
