/** The software bill of materials, the answers of `npm audit`, and copies of Temporal's program. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readReferenceBundle } from '../../src/console/build/api-reference.ts';
import { temporalCli } from '../../src/local/temporal-binary.ts';
import { endCopies, freshFolder } from '../support/local-copy.ts';
import { readAudit } from './audit.ts';
import { bundledFaults, bundledPackages } from './bundled.ts';
import { readDigests } from './images.ts';
import { cacheFaults } from './programs.ts';
import { allowedLicences } from './lock.ts';
import { readLockFile, readPackageFile } from './read-files.ts';
import { runNpm } from './run-npm.ts';
import { completeSbom, schemaFault, type Sbom } from './sbom.ts';

describe('The SBOM', () => {
  let sbom: Sbom;

  before(async () => {
    const { stdout } = await runNpm(['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only']);
    sbom = completeSbom(stdout, {
      ...{ file: readPackageFile(), lock: readLockFile(), images: readDigests() },
      bundled: bundledPackages(),
    });
  });

  it('is valid CycloneDX, and the check finds what is not', async () => {
    assert.equal(await schemaFault(sbom), undefined);
    const wrong = structuredClone(sbom);
    Object.assign(wrong.components[0]!, { hashes: [{ alg: 'SHA-512', content: 'no hexadecimal' }] });
    assert.match((await schemaFault(wrong)) ?? '', /content/);
  });

  it("has every package of the lock file, Temporal's and Postgres's programs and the images, with their hashes", () => {
    const named = new Map(sbom.components.map((one) => [one['bom-ref'], one]));
    for (const [platform, { sha256 }] of Object.entries(temporalCli.builds)) {
      const one = named.get(`temporal-cli@${temporalCli.version}/${platform}`);
      assert.deepEqual(one?.['hashes'], [{ alg: 'SHA-256', content: sha256 }]);
    }
    for (const [tag, { digest }] of Object.entries(readDigests()))
      assert.ok(named.has(`${tag}@${digest}`), tag);
    assert.ok(sbom.components.some(({ name, version }) => name === 'postgresql' && version === '18.4.0'));
    assert.equal(sbom.metadata.component.name, 'parley');
    for (const { name, version } of bundledPackages())
      assert.ok(named.has(`api-reference/${name}@${version}`), name);
    const versions = new Set(sbom.components.map(({ name, version }) => `${name}@${version}`));
    const missing = Object.entries(readLockFile().packages)
      .filter(([path]) => path !== '')
      .map(([path, { version }]) => `${path.slice(path.lastIndexOf('node_modules/') + 13)}@${version}`)
      .filter((one) => !versions.has(one));
    assert.deepEqual(missing, []);
  });

  it('names the licence of every component but the images', () => {
    const without = sbom.components.filter(
      (one) => one['type'] !== 'container' && (one.licenses ?? []).length === 0,
    );
    assert.deepEqual(
      without.map(({ name }) => name),
      [],
    );
  });
});

describe('The licence notices of the API reference', () => {
  const bundle = readReferenceBundle();
  const packages = bundledPackages();
  const versionOf = (name: string) => packages.find((one) => one.name === name)?.version;

  it('name a holder of the rights and an allowed licence for each package; a fault is found', () => {
    assert.ok(packages.length > 100);
    assert.deepEqual(bundledFaults(packages, allowedLicences), []);
    const planted =
      '## a - 1.0.0 (GPL-3.0)\n\nCopyright A\n\n## b - 1.0.0 (MIT)\n\nPermission\n\n## c\n\nCopyright C\n';
    assert.equal(bundledFaults(bundledPackages(planted), allowedLicences).length, 3);
  });

  it('are of the bundle that is served, and have each package that its banners name', () => {
    assert.equal(versionOf('@scalar/api-reference'), /@scalar\/api-reference (\S+)/.exec(bundle)?.[1]);
    assert.equal(
      readPackageFile().devDependencies['@scalar/fastify-api-reference'],
      versionOf('@scalar/api-reference'),
    );
    const banners = [
      ...bundle.matchAll(/^\s?\*? ?(@?[a-z][\w/.-]*) v?(\d+\.\d+\.\d+)\n[^]{0,120}@license/gm),
    ];
    assert.ok(banners.length >= 6, String(banners.length));
    for (const [, name = '', version] of banners) assert.equal(versionOf(name), version, name);
  });
});

describe('What npm audit prints', () => {
  it('is clean, has vulnerabilities by level, or is no answer of the registry', () => {
    const report = (vulnerabilities: Record<string, number>) =>
      JSON.stringify({ metadata: { vulnerabilities } });
    assert.deepEqual(readAudit(report({ high: 0, total: 0 })), { outcome: 'clean' });
    assert.deepEqual(readAudit(report({ low: 0, high: 2, critical: 1, total: 3 })), {
      outcome: 'found',
      what: '2 high, 1 critical',
    });
    assert.deepEqual(
      readAudit('{"message":"405 Method Not Allowed - POST https://x/-/npm","statusCode":405}'),
      {
        outcome: 'no answer',
        why: '405 Method Not Allowed',
      },
    );
    assert.equal(readAudit('').outcome, 'no answer');
  });
});

describe("A cached copy of Temporal's program", () => {
  afterEach(endCopies);

  it('that was changed is a fault; none is none', async () => {
    const folder = freshFolder();
    assert.deepEqual(await cacheFaults(temporalCli, [folder]), []);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `temporal-${temporalCli.version}`), 'changed');
    assert.equal((await cacheFaults(temporalCli, [folder])).length, 1);
  });
});
