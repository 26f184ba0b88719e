/** The local mode with stand-ins for the API and the worker, and everything else real. */
import { join } from 'node:path';
import { runLocal } from '../../../src/local/local.ts';
import { runToTheEnd } from '../../../src/local/run-to-the-end.ts';
import { readLocalSettings } from '../../../src/local/settings.ts';

await runToTheEnd((io) =>
  runLocal(
    readLocalSettings(),
    {
      apiScript: join(import.meta.dirname, 'api.ts'),
      workerScript: join(import.meta.dirname, 'worker.ts'),
      ensureWorkflowBundle: () => Promise.resolve('none'),
      ensureConsole: () => Promise.resolve(),
      makeLogins: () => Promise.resolve({ api: {}, worker: {} }),
      prepareDatabase: (_url, secrets) =>
        Promise.resolve(secrets.first ?? { organization_id: 'o', token: 'pk_test', agent_id: 'a' }),
    },
    io,
  ),
);
