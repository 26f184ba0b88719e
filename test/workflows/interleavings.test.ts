/** A conversation in any interleaving: the real workflow and activities against the reference model, on simulated time. */
import assert from 'node:assert/strict';
import { interleavingOf, type Interleaving } from '../support/interleavings/interleaving.ts';
import { openGround, type Ground } from '../support/interleavings/interleavings-database.ts';
import { applyPlant, loadSimulated, type Plant } from '../support/interleavings/load-simulated.ts';
import { describeFailure, playMany, type Failing } from '../support/interleavings/play-many.ts';
import { simulateScene } from '../support/interleavings/simulate-scene.ts';
import { sqlFunction } from '../support/sql-function.ts';

/** New seeds on every run; `npm run interleavings -- --seconds 60` plays more. */
const played = 400;

describe('Interleavings:', () => {
  let ground: Ground;
  before(async function () {
    this.timeout(60_000);
    ground = await openGround(20);
  });
  after(async () => {
    await ground.close();
  });

  describe('a conversation in any interleaving', () => {
    it(`matches the reference model in ${played} of them: nothing lost, duplicated, out of order or concurrent`, async function () {
      this.timeout(300_000);
      const from = 1 + Math.floor(Math.random() * 1_000_000_000);
      console.log(`      from seed ${from}`);
      const { failing } = await play({ from, count: played }, ground);
      assert.equal(failing, undefined, failing && describeFailure(failing));
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
          file: 'src/app/conversations/advance-run.ts',
          find: 'inputs: run.inputs.length,',
          put: 'inputs: (await deps.runs.view(run.id))?.inputs.length ?? 0,',
        },
      ],
    ];
    for (const [name, plant] of plants) {
      it(`sees ${name}`, async function () {
        this.timeout(120_000);
        const { failing } = await play({ from: 1, count: 1000 }, ground, plant);
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
    for (const [index, [name, sql]] of bugsInSql.entries()) {
      it(`sees ${name}`, async function () {
        this.timeout(120_000);
        const broken = await ground.variant(`bug_${index}`, sql);
        const { failing } = await play({ from: 1, count: 1000 }, broken);
        assertShrunk(failing);
      });
    }
  });
});

async function play(options: { from: number; count: number }, { db, cast }: Ground, plant?: Plant) {
  const simulated = await loadSimulated(plant);
  const playOne = async (plan: Interleaving | number) => await simulateScene(plan, simulated, db, cast);
  return await playMany(playOne, { ...options, atOnce: 40 });
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
