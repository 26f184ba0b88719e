/** Shapes of a turn that were weighed against each other; each runs in the product's own API and worker. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';
import { projectRoot } from '../../../src/local/project-root.ts';

export interface Shape {
  name: string;
  /** Takes the place of workflows/policies.ts. */
  policies?: string;
  /** With the activities of ./activities.ts. */
  otherActivities?: true;
}

export const shapes: readonly Shape[] = [
  { name: 'A two regular activities: claim + model + record; callback', otherActivities: true },
  { name: 'B one regular activity, quick callback within (the product)' },
  {
    name: 'C regular activity, callback as local activity',
    policies: 'local-callback.ts',
    otherActivities: true,
  },
  { name: 'D as B, without eager dispatch', policies: 'no-eager.ts' },
  {
    name: 'E three regular activities: claim; model + record; callback',
    policies: 'separate-claim.ts',
    otherActivities: true,
  },
  { name: 'F all in one local activity', policies: 'all-local.ts' },
];

/** @returns what a worker's environment must say so that it has this shape */
export async function shapeEnvironment(shape: Shape, folder: string): Promise<NodeJS.ProcessEnv> {
  const env: NodeJS.ProcessEnv = {};
  if (shape.otherActivities) {
    env['NODE_OPTIONS'] = `--import=${new URL('use-shape.ts', import.meta.url).href}`;
  }
  if (shape.policies !== undefined) {
    const replacement = fileURLToPath(new URL(shape.policies, import.meta.url));
    const { code } = await bundleWorkflowCode({
      workflowsPath: join(projectRoot, 'workflows/index.ts'),
      logger: new DefaultLogger('ERROR'),
      webpackConfigHook: (config) => {
        const { alias } = config.resolve ?? {};
        if (Array.isArray(alias)) throw new Error('the bundler lists its aliases in another form');
        // As the workflow files write it; the shape's own import of the real one is written otherwise.
        return {
          ...config,
          resolve: { ...config.resolve, alias: { ...alias, './policies.ts': replacement } },
        };
      },
    });
    const path = join(folder, `${shape.policies}.bundle.js`);
    await writeFile(path, code);
    env['WORKFLOW_BUNDLE'] = path;
  }
  return env;
}
