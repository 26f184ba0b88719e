/**
 * The next version of the workflow code: before it claims a group it waits for a moment, which is one more command.
 * Made safely, it keeps the old way for conversations in progress; made unsafely, it does not.
 */
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';
import { projectRoot } from '../../../src/local/project-root.ts';

export type Change = 'safe' | 'unsafe';

export type NextVersion = {
  /** Module id of its workflows/index.ts. */
  workflowsPath: string;
  /** Bundled, for WORKFLOW_BUNDLE. */
  bundlePath: () => Promise<string>;
  remove: () => void;
};

const file = 'workflows/conversations/conversation.ts';
const place = "        note(initial.isKeptWarm === true ? answeringOrReady : 'running the agent');\n";
const added = {
  safe: "        if (patched('a-moment-before-each-run')) await sleep(20);\n",
  unsafe: '        await sleep(20);\n',
};

export function nextVersion(change: Change): NextVersion {
  // Inside the project, so that packages are found from there.
  mkdirSync(join(projectRoot, '.cache'), { recursive: true });
  const folder = mkdtempSync(join(projectRoot, '.cache', 'next-'));
  for (const part of ['workflows', 'src/domain', 'src/contract']) {
    cpSync(join(projectRoot, part), join(folder, part), { recursive: true });
  }
  const source = readFileSync(join(folder, file), 'utf8');
  assert.equal(source.split(place).length, 2, `"${place.trim()}" must stand once in ${file}`);
  const missing = ['patched', 'sleep'].filter((name) => !new RegExp(`^  ${name},$`, 'm').test(source));
  const changed = source
    .replace(place, () => place + added[change])
    .replace('import {\n', `import {\n${missing.map((name) => `  ${name},\n`).join('')}`);
  writeFileSync(join(folder, file), changed);
  const workflowsPath = join(folder, 'workflows/index.ts');
  return {
    workflowsPath,
    bundlePath: async () => {
      const { code } = await bundleWorkflowCode({ workflowsPath, logger: new DefaultLogger('ERROR') });
      const path = join(folder, 'bundle.js');
      writeFileSync(path, code);
      return path;
    },
    remove: () => {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
