/** A deploy gone wrong: workflow code that decides otherwise than what is recorded. */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';
import { projectRoot } from '../../src/local/project-root.ts';

/** @returns the path of a bundle that does not know the signals which running conversations have had */
export async function brokenBundle(folder: string): Promise<string> {
  mkdirSync(join(projectRoot, '.cache'), { recursive: true });
  const copy = mkdtempSync(join(projectRoot, '.cache', 'broken-'));
  for (const part of ['workflows', 'src/domain', 'src/contract']) {
    cpSync(join(projectRoot, part), join(copy, part), { recursive: true });
  }
  const file = join(copy, 'src/contract/workflows.ts');
  writeFileSync(file, readFileSync(file, 'utf8').replace("<[Nudge]>('nudge')", "<[Nudge]>('wake')"));
  const { code } = await bundleWorkflowCode({
    workflowsPath: join(copy, 'workflows/index.ts'),
    logger: new DefaultLogger('ERROR'),
  });
  rmSync(copy, { recursive: true });
  writeFileSync(join(folder, 'broken.js'), code);
  return join(folder, 'broken.js');
}
