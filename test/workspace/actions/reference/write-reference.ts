/** `npm run generate:actions`: writes docs/ACTIONS.md. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../../../src/local/project-root.ts';
import { actionsReference } from './actions-reference.ts';

const file = join(projectRoot, 'docs', 'ACTIONS.md');
writeFileSync(file, await actionsReference(file));
