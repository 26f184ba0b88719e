/** Workflow code as the worker bundles it, with the trace in it. */
import { join } from 'node:path';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';
import { projectRoot } from '../../../src/local/project-root.ts';

/** @returns the bundle's code */
export async function bundleForReplay(
  workflowsPath = join(projectRoot, 'workflows', 'index.ts'),
): Promise<string> {
  const { code } = await bundleWorkflowCode({
    workflowsPath,
    workflowInterceptorModules: [join(projectRoot, 'test/workflows/replay/trace-interceptor.ts')],
    logger: new DefaultLogger('ERROR'),
  });
  return code;
}
