/**
 * `npm run images:pin`: asks the registry for the digest of each image's tag, and writes it to src/deploy/images.json
 * and to the files that name the image. Changes nothing if the registry does not answer for one of them.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../src/local/project-root.ts';
import {
  allReferences,
  digestFile,
  imageFiles,
  resolveDigest,
  withDigests,
  type DigestTable,
} from './images.ts';

const tags = [...new Set(allReferences().map(({ image }) => image.split('@')[0] ?? ''))].sort();
const today = new Date().toISOString().slice(0, 10);
const table: DigestTable = {};
for (const tag of tags) {
  const found = await resolveDigest(tag);
  if (found.outcome === 'no answer') {
    console.error(`The registry does not give the digest of ${tag}: ${found.why}. Nothing was changed.`);
    process.exit(1);
  }
  console.log(`${tag} ${found.digest}`);
  table[tag] = { digest: found.digest, source: 'the registry', answeredByRegistry: today };
}
writeFileSync(digestFile, `${JSON.stringify(table, undefined, 2)}\n`);
for (const file of imageFiles()) {
  const path = join(projectRoot, file);
  const text = readFileSync(path, 'utf8');
  writeFileSync(path, withDigests(text, table));
}
