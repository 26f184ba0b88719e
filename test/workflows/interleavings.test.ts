/** A conversation in any interleaving: the real workflow and activities against the reference model, on simulated time. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { text } from 'node:stream/consumers';
import { connectDatabase } from '../../src/adapters/postgres/database.ts';
import { backing } from '../support/backing.ts';
import { newCast, saveCast } from '../support/interleavings/cast.ts';
import { interleavingOf } from '../support/interleavings/interleaving.ts';
import { applyPlant, loadSimulated, type Plant } from '../support/interleavings/load-simulated.ts';
import { describeFailure, playMany, type Failing } from '../support/interleavings/play-many.ts';
import { simulateScene } from '../support/interleavings/simulate-scene.ts';
import { sqlFunction } from '../support/sql-function.ts';

const main = fileURLToPath(new URL('../support/interleavings/main.ts', import.meta.url));

describe('a conversation in any interleaving', () => {
  it('matches the reference model in 10,000: nothing lost, duplicated, out of order or concurrent', async function () {
    this.timeout(400_000);
    const child = spawn(process.execPath, [main, '--count', '10000', '--processes', '3'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [said] = await Promise.all([text(child.stdout), once(child, 'exit')]);
    assert.equal(child.exitCode, 0, said);
    assert.match(said, /^10000 interleavings from seed 1 on rules: 0 violations/m);
  });

  it('matches it on Postgres too', async function () {
    this.timeout(120_000);
    assert.equal(await playOnPostgres({ from: 20_001, count: 150 }), undefined);
  });
});

describe('the harness of interleavings', () => {
  it('is deterministic for a seed, and differs between seeds', () => {
    assert.deepEqual(interleavingOf(7), interleavingOf(7));
    assert.notDeepEqual(interleavingOf(7), interleavingOf(8));
  });

  const plants: [string, Plant][] = [
    [
      'nudges dropped at continue-as-new',
      {
        file: 'workflows/conversations/conversation.ts',
        find: 'continueAsNew<typeof conversation>(state.snapshot)',
        put: 'continueAsNew<typeof conversation>({ ...state.snapshot, wakeAt: undefined })',
      },
    ],
    [
      'a later nudge that forgets an earlier one',
      {
        file: 'workflows/conversations/conversation-state.ts',
        find: 'Math.min(this.#state.wakeAt ?? at, at)',
        put: 'at',
      },
    ],
    [
      'a follow-up that an input does not cancel',
      {
        file: 'workflows/conversations/conversation-state.ts',
        find: 'runBegins(): void {\n    this.#userHasWritten();',
        put: 'runBegins(): void {',
      },
    ],
    [
      'an answer that was made without an input of its run',
      {
        file: 'src/app/conversations/model-step.ts',
        find: 'inputs: run.inputs.length,',
        put: 'inputs: (await deps.runs.view(run.id))?.inputs.length ?? 0,',
      },
    ],
  ];
  for (const [name, plant] of plants) {
    it(`sees ${name}`, async function () {
      this.timeout(120_000);
      const simulated = await loadSimulated(plant);
      const cast = newCast();
      const failing = await playMany(async (plan) => await simulateScene(plan, simulated, 'rules', cast), {
        from: 1,
        count: 3000,
        atOnce: 50,
      });
      assertShrunk(failing);
    });
  }

  const bugsInSql: [string, string][] = [
    [
      'a window that is off by one',
      replaced('v_now >= v_group.closes_at and not', 'v_now > v_group.closes_at and not'),
    ],
    [
      'a repeat that is checked for and then written, with nothing to hold it',
      'alter table idempotency_keys drop constraint idempotency_keys_pkey',
    ],
  ];
  for (const [name, sql] of bugsInSql) {
    it(`sees ${name}`, async function () {
      this.timeout(120_000);
      assertShrunk(await playOnPostgres({ from: 1, count: 600, sql }));
    });
  }
});

async function playOnPostgres(options: { from: number; count: number; sql?: string }) {
  const db = connectDatabase(await (await backing()).freshDatabase(), 8);
  try {
    if (options.sql !== undefined) await db.pool.query(options.sql);
    const cast = newCast();
    await saveCast(db, cast);
    const simulated = await loadSimulated();
    return await playMany(async (plan) => await simulateScene(plan, simulated, db, cast), {
      ...options,
      atOnce: 40,
    });
  } finally {
    await db.close();
  }
}

/** accept_input with a bug. */
function replaced(find: string, put: string): string {
  return applyPlant(sqlFunction('accept_input'), { file: 'accept_input', find, put });
}

function assertShrunk(failing: Failing | undefined): void {
  assert.ok(failing, 'the planted bug was not seen');
  assert.ok(failing.least.ops.length <= interleavingOf(failing.seed).ops.length);
  assert.match(
    describeFailure(failing),
    new RegExp(`^seed ${failing.seed} fails: .+\\nthe least that fails: \\{`),
  );
}
