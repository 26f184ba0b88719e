/** The interleavings of interleavings.test.ts see each of these bugs, planted in a copy of the code or in SQL. */
import { openGround, type Ground } from '../support/interleavings/interleavings-database.ts';
import { plantedBugs, windowOffByOne } from '../support/interleavings/planted-bugs.ts';
import { assertShrunk, playOnGround } from '../support/interleavings/play-on-ground.ts';

const played = { from: 1, count: 1000 };

describe('Interleavings see', () => {
  let ground: Ground;
  before(async () => {
    ground = await openGround(20);
  });
  after(async () => {
    await ground.close();
  });

  for (const [name, plant] of plantedBugs) {
    it(name, async () => {
      assertShrunk(await playOnGround(ground, played, plant));
    });
  }

  it('a window that is off by one', async () => {
    assertShrunk(await playOnGround(await ground.variant('bug', windowOffByOne()), played));
  });
});
