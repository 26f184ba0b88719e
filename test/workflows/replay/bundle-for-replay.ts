/** Workflow code as the worker bundles it, with the trace in it. */
import { join } from 'node:path';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';
import { projectRoot } from '../../../src/local/project-root.ts';

/**
 * @param root holds workflows/ and src/domain/
 * @param cache a folder where what does not change is kept from one bundle to the next
 * @returns the bundle's code
 */
export async function bundleForReplay(root = projectRoot, cache?: string): Promise<string> {
  const { code } = await bundleWorkflowCode({
    workflowsPath: join(root, 'workflows', 'index.ts'),
    workflowInterceptorModules: [join(projectRoot, 'test/workflows/replay/trace-interceptor.ts')],
    logger: new DefaultLogger('ERROR'),
    ...(cache !== undefined && {
      webpackConfigHook: (config) => ({
        ...config,
        // By content: a file may be changed twice within a tick of the clock.
        snapshot: { module: { hash: true }, resolve: { hash: true } },
        cache: { type: 'filesystem', cacheDirectory: cache, idleTimeoutForInitialStore: 0 },
      }),
    }),
  });
  return code;
}
