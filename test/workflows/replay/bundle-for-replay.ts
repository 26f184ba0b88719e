/** Workflow code as the worker bundles it, with the trace in it. */
import { join } from 'node:path';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';
import { projectRoot } from '../../../src/local/project-root.ts';

/** @param root holds workflows/ and src/domain/ @returns the bundle's code */
export async function bundleForReplay(root = projectRoot): Promise<string> {
  const { code } = await bundleWorkflowCode({
    workflowsPath: join(root, 'workflows', 'index.ts'),
    workflowInterceptorModules: [join(projectRoot, 'test/workflows/replay/trace-interceptor.ts')],
    logger: new DefaultLogger('ERROR'),
  });
  return code;
}
