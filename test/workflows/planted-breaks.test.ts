/**
 * Workflow code that is broken on purpose does not get through the replay gate. All broken copies are in one bundle,
 * each under names of its own, because bundling takes most of the time.
 */
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { historyFromJSON } from '@temporalio/common/lib/proto-utils.js';
import * as workflows from '../../workflows/index.ts';
import { projectRoot } from '../../src/local/project-root.ts';
import { bundleForReplay } from './replay/bundle-for-replay.ts';
import { plantedBreaks, type PlantedBreak } from './replay/planted-breaks.ts';
import { recordedStories } from './replay/recorded-stories.ts';
import { replayHistories } from './replay/replay-histories.ts';

const recorded = recordedStories();

describe('A break planted in workflow code is caught:', () => {
  let folder: string;
  let code: string;

  before(async () => {
    // Inside the project, so that packages are found from there.
    mkdirSync(join(projectRoot, '.cache'), { recursive: true });
    folder = mkdtempSync(join(projectRoot, '.cache', 'planted-'));
    const names = Object.keys(workflows);
    const index = [undefined, ...plantedBreaks].map((planted, number) => {
      copy(join(folder, String(number)), planted);
      const exported = names.map((name) => `${name} as ${name}${mark(number)}`).join(', ');
      return `export { ${exported} } from './${number}/workflows/index.ts';\n`;
    });
    writeFileSync(join(folder, 'index.ts'), index.join(''));
    code = await bundleForReplay(join(folder, 'index.ts'));
  });
  after(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it('none in a copy that is whole', async () => {
    assert.equal(await caughtBy(code, 0), undefined);
  });

  for (const [index, { what }] of plantedBreaks.entries()) {
    it(what, async () => {
      assert.ok(await caughtBy(code, index + 1), 'no recorded history has told');
    });
  }

  it('none in the whole copy, replayed again', async () => {
    assert.equal(await caughtBy(code, 0), undefined);
  });
});

function mark(number: number): string {
  return `__${number}`;
}

function copy(to: string, planted: PlantedBreak | undefined): void {
  for (const part of ['workflows', 'src/domain', 'src/contract']) {
    cpSync(join(projectRoot, part), join(to, part), { recursive: true });
  }
  if (planted === undefined) return;
  const { file, find, replace } = planted;
  const source = readFileSync(join(to, file), 'utf8');
  assert.equal(source.split(find).length, 2, `"${find}" must stand once in ${file}`);
  writeFileSync(
    join(to, file),
    source.replace(find, () => replace),
  );
}

/** @returns the first history that distinguishes this copy from the code that was recorded, and how */
async function caughtBy(code: string, number: number): Promise<string | undefined> {
  const marked = recorded.map((story) => {
    const json = story.json.replace(
      /"workflowType":\{"name":"(\w+)"\}/g,
      `"workflowType":{"name":"$1${mark(number)}"}`,
    );
    return { ...story, history: historyFromJSON(JSON.parse(json)) };
  });
  let index = 0;
  for await (const { name, error, trace } of replayHistories(code, marked)) {
    if (error !== undefined) return `${name}, by its replay`;
    const known = recorded[index++]!.trace.join('\n');
    if (trace.join('\n').replaceAll(mark(number), '') !== known) return `${name}, by its trace`;
  }
  return undefined;
}
