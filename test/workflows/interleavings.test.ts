/**
 * A conversation in any interleaving: the real workflow and activities against the reference model, on simulated time.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../src/local/project-root.ts';
import { interleavingOf } from '../support/interleavings/interleaving.ts';
import { openGround, type Ground } from '../support/interleavings/interleavings-database.ts';
import { describeFailure } from '../support/interleavings/play-many.ts';
import { applyPlant } from '../support/interleavings/load-simulated.ts';
import { plantedBugs, windowOffByOne } from '../support/interleavings/planted-bugs.ts';
import { assertShrunk, playOnGround } from '../support/interleavings/play-on-ground.ts';

/** New seeds on every run; `npm run interleavings -- --seconds 60` plays more. */
const played = 400;

describe('Interleavings:', () => {
  let ground: Ground;
  before(async () => {
    ground = await openGround(20);
  });
  after(async () => {
    await ground.close();
  });

  describe('a conversation in any interleaving', () => {
    it(`matches the reference model in ${played} of them: nothing lost, duplicated, out of order or concurrent`, async () => {
      const from = 1 + Math.floor(Math.random() * 1_000_000_000);
      console.log(`      from seed ${from}`);
      const failing = await playOnGround(ground, { from, count: played });
      assert.equal(failing, undefined, failing && describeFailure(failing));
    });
  });

  // A long proof, interleavings-planted.test.ts, checks that it sees bugs of the code as well.
  describe('the harness of interleavings', () => {
    it('is deterministic for a seed, and differs between seeds', () => {
      assert.deepEqual(interleavingOf(7), interleavingOf(7));
      assert.notDeepEqual(interleavingOf(7), interleavingOf(8));
    });

    it('finds the place of every planted bug in the source', () => {
      for (const [name, plant] of plantedBugs) {
        const source = readFileSync(join(projectRoot, plant.file), 'utf8');
        assert.notEqual(applyPlant(source, plant), source, name);
      }
      assert.notEqual(windowOffByOne(), '');
    });

    it('sees a repeat that is checked for and then written, with nothing to hold it', async () => {
      const sql = 'alter table idempotency_keys drop constraint idempotency_keys_pkey';
      const broken = await ground.variant('bug', sql);
      assertShrunk(await playOnGround(broken, { from: 1, count: 1000 }));
    });
  });
});
