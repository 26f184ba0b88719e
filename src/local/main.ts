/** Runs Postgres, Temporal, the worker and the API on this machine. Started by `npm start`. */
import { join } from 'node:path';
import { bootstrap } from './bootstrap.ts';
import { ensureConsole } from './console-build.ts';
import { makeLogins } from './database-logins.ts';
import { runLocal } from './local.ts';
import { projectRoot } from './project-root.ts';
import { runToTheEnd } from './run-to-the-end.ts';
import { readLocalSettings, readStartOptions } from './settings.ts';
import { ensureWorkflowBundle } from './workflow-bundle.ts';

await runToTheEnd((io) => {
  const settings = readLocalSettings();
  return runLocal(
    settings,
    {
      apiScript: join(projectRoot, 'src/main-api.ts'),
      workerScript: join(projectRoot, 'src/main-worker.ts'),
      ensureWorkflowBundle,
      ensureConsole,
      prepareDatabase: bootstrap,
      makeLogins,
    },
    io,
    readStartOptions(process.argv.slice(2), settings),
  );
});
