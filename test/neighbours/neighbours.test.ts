/** The short form of `npm run test:neighbours`: a drawn attack for a few seconds, and one whose fix is undone. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../src/local/project-root.ts';
import { drawnBy, sampleSeed } from '../support/sample.ts';
import { attacks } from './attacks/index.ts';
import { tableOf } from './report.ts';
import { runAttack, startOutside, type Outside } from './run-attack.ts';
import { attackOf, shortAttacks, shortOptions } from './short-form.ts';

const drawn = shortAttacks[sampleSeed % shortAttacks.length] ?? assert.fail(`no attack by ${drawnBy}`);

describe('B notices nothing of', () => {
  let outside: Outside;
  before(async () => {
    outside = await startOutside();
  });
  after(async () => {
    await outside.end();
  });

  // All of them are a long proof: each-attack.test.ts.
  it(`a drawn attack: ${drawn.what} (${drawnBy})`, async () => {
    const result = await runAttack(drawn, outside, shortOptions);
    assert.deepEqual(result.breaches, [], tableOf([result]));
  });

  it('an attack only while the fix against it is there', async () => {
    const planted = { ...shortOptions, planted: true };
    const result = await runAttack(attackOf('bodies-without-token'), outside, planted);
    assert.match(result.breaches.join('\n'), /the api grew by \d+ MiB/, tableOf([result]));
  });

  it('any attack whose fix can be undone: the text to remove is in the source', () => {
    for (const { name, plant } of attacks) {
      assert.ok(plant.edits !== undefined || plant.sql !== undefined || plant.env !== undefined, name);
      for (const [file, from] of plant.edits ?? []) {
        const source = readFileSync(join(projectRoot, file), 'utf8');
        assert.equal(source.split(from).length, 2, `${name}: "${from}" must stand once in ${file}`);
      }
    }
  });
});
