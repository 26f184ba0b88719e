/** The short form of `npm run test:neighbours`: a few attacks for a few seconds each, and one whose mend is undone. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../src/local/project-root.ts';
import { attacks } from './attacks/index.ts';
import { tableOf } from './report.ts';
import { runAttack, startOutside, type Outside } from './run-attack.ts';

/** Those that need few of the machine's seconds; a machine that runs other tests beside is slow by itself. */
const short = ['bodies-without-token', 'slow-heads', 'two-bots'];
const options = { seconds: 4, seed: 16, floorMs: 1500 };

describe('B notices nothing of', function () {
  this.timeout(240_000);
  let outside: Outside;
  before(async () => {
    outside = await startOutside();
  });
  after(async () => {
    await outside.end();
  });
  const named = (name: string) => {
    const found = attacks.find((one) => one.name === name);
    assert.ok(found, name);
    return found;
  };

  for (const name of short) {
    it(named(name).what, async () => {
      const result = await runAttack(named(name), outside, options);
      assert.deepEqual(result.breaches, [], tableOf([result]));
    });
  }

  it('an attack only while its mend is there', async () => {
    const result = await runAttack(named('bodies-without-token'), outside, { ...options, planted: true });
    assert.match(result.breaches.join('\n'), /the api grew by \d+ MiB/, tableOf([result]));
  });

  it('any attack whose mend can be undone: the words that are taken away stand in the source', () => {
    for (const { name, plant } of attacks) {
      assert.ok(plant.edits !== undefined || plant.sql !== undefined || plant.env !== undefined, name);
      for (const [file, from] of plant.edits ?? []) {
        const source = readFileSync(join(projectRoot, file), 'utf8');
        assert.equal(source.split(from).length, 2, `${name}: "${from}" must stand once in ${file}`);
      }
    }
  });
});
