import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../src/local/project-root.ts';
import { lockFileSchema, packageFileSchema } from './lock.ts';

const json = (path: string): unknown => JSON.parse(readFileSync(join(projectRoot, path), 'utf8'));

export const readPackageFile = () => packageFileSchema.parse(json('package.json'));
export const readLockFile = () => lockFileSchema.parse(json('package-lock.json'));
/** npm's record of its last installation. */
export const readInstalled = () => lockFileSchema.parse(json('node_modules/.package-lock.json'));
