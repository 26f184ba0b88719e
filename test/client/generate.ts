/** `npm run client:generate` */
import { writeFileSync } from 'node:fs';
import { apiTypesFile, writeApiTypes } from './api-types.ts';

writeFileSync(apiTypesFile, await writeApiTypes());
console.log(`written: ${apiTypesFile}`);
