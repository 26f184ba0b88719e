/** That the gate is one: workflow code that is broken on purpose does not get through it. */
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../src/local/project-root.ts';
import { bundleForReplay } from './replay/bundle-for-replay.ts';
import { plantedBreaks } from './replay/planted-breaks.ts';
import { recordedStories } from './replay/recorded-stories.ts';
import { replayHistories } from './replay/replay-histories.ts';

const recorded = recordedStories();

/** @returns the first history that tells the code in `root` from the code that was recorded */
async function caughtBy(root: string): Promise<string | undefined> {
  const code = await bundleForReplay(root, join(root, 'webpack'));
  let index = 0;
  for await (const { name, error, trace } of replayHistories(code, recorded)) {
    if (error !== undefined) return `${name}, by its replay`;
    if (!isSame(trace, recorded[index++]!.trace)) return `${name}, by its trace`;
  }
  return undefined;
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((line, index) => line === other[index]);
}

describe('A break planted in workflow code is caught:', function () {
  this.timeout(60_000);
  let copy: string;
  before(() => {
    // Inside the project, so that packages are found from there.
    mkdirSync(join(projectRoot, '.cache'), { recursive: true });
    copy = mkdtempSync(join(projectRoot, '.cache', 'planted-'));
    for (const folder of ['workflows', 'src/domain']) {
      cpSync(join(projectRoot, folder), join(copy, folder), { recursive: true });
    }
  });
  after(() => {
    rmSync(copy, { recursive: true, force: true });
  });

  it('none in the code as it is', async () => {
    assert.equal(await caughtBy(copy), undefined);
  });

  for (const { what, file, find, replace } of plantedBreaks) {
    it(what, async () => {
      const path = join(copy, file);
      const source = readFileSync(path, 'utf8');
      assert.equal(source.split(find).length, 2, `"${find}" must stand once in ${file}`);
      writeFileSync(
        path,
        source.replace(find, () => replace),
      );
      try {
        assert.ok(await caughtBy(copy), 'no recorded history has told');
      } finally {
        writeFileSync(path, source);
      }
    });
  }

  it('none once all are taken back', async () => {
    assert.equal(await caughtBy(copy), undefined);
  });
});
