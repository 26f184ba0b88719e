/** The images that docker-compose.yml, the Dockerfile and the Kubernetes manifests name, and their digests. */
import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { projectRoot } from '../../src/local/project-root.ts';

export const digestFile = join(projectRoot, 'src/deploy/images.json');
const digestPattern = /^sha256:[0-9a-f]{64}$/;
const digestTable = z.record(
  z.string(),
  z.strictObject({
    digest: z.string().regex(digestPattern),
    /** The source of the digest. */
    source: z.string(),
    /** Date of the day on which the registry gave this digest for the tag; null if it was never asked. */
    answeredByRegistry: z.iso.date().nullable(),
  }),
);
export type DigestTable = z.output<typeof digestTable>;

/** @throws ZodError if the file has another shape */
export const readDigests = (): DigestTable => digestTable.parse(JSON.parse(readFileSync(digestFile, 'utf8')));

export type Reference = Readonly<{ file: string; image: string }>;

/** Files that name images. */
export const imageFiles = (): string[] => [
  'docker-compose.yml',
  'src/deploy/Dockerfile',
  ...globSync('src/deploy/kubernetes/*.yaml', { cwd: projectRoot }).sort(),
];

/**
 * Returns the images that a file names, but for those that are built from this repository. A stage of a Dockerfile, or
 * an ARG that has its image, is no image.
 */
export function referencesIn(file: string, text: string): Reference[] {
  const named = file.endsWith('Dockerfile')
    ? [
        ...text.matchAll(/^ARG \w+=(\S+:\S+)$/gm),
        ...text.matchAll(/^FROM (?!\$\{)(\S+)/gm),
        // Also what is copied out of an image.
        ...[...text.matchAll(/^COPY --from=(\S+)/gm)].filter(
          ([, from]) => !new RegExp(`^FROM .* AS ${from}$`, 'm').test(text),
        ),
      ]
    : [...text.matchAll(/^\s*(?:- )?image: (?:&\w+ )?['"]?([^\s'"*]+)/gm)];
  return named.map(([, image = '']) => ({ file, image })).filter(({ image }) => !image.startsWith('parley:'));
}

export const allReferences = (): Reference[] =>
  imageFiles().flatMap((file) => referencesIn(file, readFileSync(join(projectRoot, file), 'utf8')));

/**
 * Returns a line for each image without a digest or with another than the table's, and each line of the table that
 * nothing uses.
 */
export function imageFaults(references: readonly Reference[], table: DigestTable): string[] {
  const wrong = references.flatMap(({ file, image }) => {
    const [tag = '', digest] = image.split('@');
    if (digest === undefined || !digestPattern.test(digest)) return [`${file}: ${image} has no digest`];
    const known = table[tag]?.digest;
    if (known === undefined) return [`${file}: ${tag} is not in src/deploy/images.json`];
    return digest === known
      ? []
      : [`${file}: ${image} has another digest than src/deploy/images.json, ${known}`];
  });
  const used = new Set(references.map(({ image }) => image.split('@')[0]));
  const unused = Object.keys(table).filter((tag) => !used.has(tag));
  return [...wrong, ...unused.map((tag) => `src/deploy/images.json: nothing uses ${tag}`)];
}

/** The text with the table's digest behind each image of the table. */
export function withDigests(text: string, table: DigestTable): string {
  return text.replace(/([\w./-]+:[\w.-]+)(?:@sha256:[0-9a-f]{64})?/g, (whole, tag: string) => {
    const digest = table[tag]?.digest;
    return digest === undefined ? whole : `${tag}@${digest}`;
  });
}

export type Resolved = { outcome: 'digest'; digest: string } | { outcome: 'no answer'; why: string };

const manifestTypes = [
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
];
/** Chosen: an index of a few platforms has 1 to 10 kB. */
const maxManifestBytes = 1_000_000;
const timeoutMs = 10_000;

/**
 * Asks the registry for the digest of a tag's multi-platform index, with an anonymous token if it wants one (OCI
 * distribution specification). The digest is computed from the bytes that came.
 */
export async function resolveDigest(
  tag: string,
  registry = 'https://registry-1.docker.io',
): Promise<Resolved> {
  const [name = '', version = ''] = tag.split(':');
  const repository = name.includes('/') ? name : `library/${name}`;
  const url = `${registry}/v2/${repository}/manifests/${version}`;
  const headers = { Accept: manifestTypes.join(', ') };
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    let response = await fetch(url, { headers, signal });
    const challenge = response.headers.get('www-authenticate') ?? '';
    if (response.status === 401 && challenge.startsWith('Bearer ')) {
      const given = new Map(
        [...challenge.matchAll(/(\w+)="([^"]*)"/g)].map(([, key = '', value = '']) => [key, value]),
      );
      const realm = new URL(given.get('realm') ?? '');
      for (const key of ['service', 'scope']) realm.searchParams.set(key, given.get(key) ?? '');
      const answer: unknown = await (await fetch(realm, { signal })).json();
      const { token } = z.object({ token: z.string() }).parse(answer);
      response = await fetch(url, { headers: { ...headers, Authorization: `Bearer ${token}` }, signal });
    }
    if (response.status !== 200) return { outcome: 'no answer', why: `it answered ${response.status}` };
    const type = response.headers.get('content-type') ?? '';
    if (!manifestTypes.includes(type))
      return { outcome: 'no answer', why: `it has no index of platforms, but ${type}` };
    const bytes = Buffer.from(await response.arrayBuffer());
    if (bytes.length > maxManifestBytes)
      return { outcome: 'no answer', why: `its index has ${bytes.length} bytes` };
    return { outcome: 'digest', digest: `sha256:${createHash('sha256').update(bytes).digest('hex')}` };
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    return { outcome: 'no answer', why: cause instanceof Error ? cause.message : String(cause) };
  }
}
