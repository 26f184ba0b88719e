/** Builds the console and the workflow bundle into dist/, for the image. */
import { copyFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureConsole } from '../local/console-build.ts';
import { projectRoot } from '../local/project-root.ts';
import { ensureWorkflowBundle } from '../local/workflow-bundle.ts';

await ensureConsole({
  log: join(tmpdir(), 'console-build.log'),
  say: (line) => {
    process.stdout.write(`${line}\n`);
  },
});
await copyFile(await ensureWorkflowBundle(), join(projectRoot, 'dist', 'workflow-bundle.js'));
