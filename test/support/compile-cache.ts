/**
 * Keeps compiled modules for the processes that tests start: of the API's second of start, most is reading TypeScript.
 */
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { projectRoot } from '../../src/local/project-root.ts';

const folder = (process.env['NODE_COMPILE_CACHE'] ??= join(projectRoot, '.cache', 'compiled'));
enableCompileCache(folder);

/** For a process that is not given the whole environment. */
export const compileCache: NodeJS.ProcessEnv = { NODE_COMPILE_CACHE: folder };
