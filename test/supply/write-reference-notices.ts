/**
 * `npm run notices:reference -- VERSION`: writes the licence notices of what is in the bundle of the API reference. The
 * bundle's package has no source map, so the names and versions are read from that of `@scalar/api-reference` at
 * VERSION: take the newest published one that is not newer than the bundle. Each notice is the licence files of the
 * package, from the registry; if it has none, those of a package of the same repository; otherwise its licence and
 * author as its package.json names them. Exit code 1 with a list of the packages that have none of these.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { readReferenceBundle } from '../../src/console/build/api-reference.ts';
import { projectRoot } from '../../src/local/project-root.ts';
import { noticesPath } from './bundled.ts';
import { runNpm } from './run-npm.ts';

const packageJson = z.looseObject({
  name: z.string(),
  version: z.string(),
  license: z.string(),
  author: z.union([z.string(), z.object({ name: z.string() }).transform(({ name }) => name)]).optional(),
  repository: z.union([z.string(), z.object({ url: z.string() }).transform(({ url }) => url)]).optional(),
});
type Packed = z.output<typeof packageJson> & { folder: string };

/** Icons and styles that are compiled into the packages of Scalar without a file of their own in the source map. */
const besides = ['@phosphor-icons/core@2.1.1'];
/** Packages that are not in the bundle, and have the licence file of others of their repository. */
const siblings = ['@headlessui/tailwindcss@0.2.2'];

const folder = mkdtempSync(join(tmpdir(), 'parley-notices-'));

/** Fetches packages from the registry and unpacks them. @param wanted `name@version` of each */
async function unpack(wanted: readonly string[]): Promise<Packed[]> {
  const { code, stdout, stderr } = await runNpm(
    ['pack', '--json', '--pack-destination', folder, ...wanted],
    folder,
  );
  if (code !== 0) throw new Error(`npm pack failed: ${stderr.slice(-2000)}`);
  const packed = z.array(z.object({ filename: z.string() })).parse(JSON.parse(stdout));
  return packed.map(({ filename }, index) => {
    const target = mkdtempSync(join(folder, `${index}-`));
    execFileSync('tar', ['-xzf', join(folder, filename), '-C', target, '--strip-components=1']);
    const json: unknown = JSON.parse(readFileSync(join(target, 'package.json'), 'utf8'));
    return { ...packageJson.parse(json), folder: target };
  });
}

/** Returns the texts of the package's licence files: its own, and those of code that it has copied. */
function licenceFiles({ folder: at }: Packed, options: { ownOnly: boolean }): string {
  const files = readdirSync(at, { recursive: !options.ownOnly, encoding: 'utf8' });
  return files
    .filter((name) => /(?:^|\/)(?:licen[cs]e|copying|notice)(?:[.-][\w.-]+)?$/i.test(name))
    .filter((name) => statSync(join(at, name)).isFile())
    .sort()
    .map((name) => readFileSync(join(at, name), 'utf8').trim())
    .join('\n\n');
}

const repositoryOf = ({ repository = '' }: Packed) =>
  /github\.com[/:]([\w.-]+\/[\w-]+)/.exec(repository)?.[1];

/** @returns what the heading of the package is followed by; undefined if the package names no holder of its rights */
function noticeOf(one: Packed, others: readonly Packed[]): string | undefined {
  const all = licenceFiles(one, { ownOnly: false });
  if (licenceFiles(one, { ownOnly: true }) !== '') return all;
  const repository = repositoryOf(one);
  const sibling = others.find(
    (other) =>
      repository !== undefined &&
      repositoryOf(other) === repository &&
      licenceFiles(other, { ownOnly: true }) !== '',
  );
  if (sibling !== undefined)
    return [licenceFiles(sibling, { ownOnly: true }), all].filter(Boolean).join('\n\n');
  if (one.author === undefined) return undefined;
  return `The package has no licence file. Its package.json names the licence ${one.license}; its author is ${one.author}.`;
}

/** Returns `name@version` of each package that pnpm had installed for the bundle, and the names of Scalar's own. */
function contentsOf(sources: readonly string[]): { installed: string[]; own: string[] } {
  const installed = new Set<string>();
  const own = new Set<string>();
  for (const source of sources) {
    const [, entry = ''] = /\.pnpm\/([^/]+)\/node_modules\//.exec(source) ?? [];
    const [, scope = '', name = '', version = ''] = /^(@[^+]+\+)?([^@]+)@([^_]+)/.exec(entry) ?? [];
    const [, ofScalar] = /^(?:\.\.\/)+([\w-]+)\/dist\//.exec(source) ?? [];
    if (name !== '') installed.add(`${scope.replace('+', '/')}${name}@${version}`);
    else if (ofScalar !== undefined) own.add(`@scalar/${ofScalar}`);
  }
  return { installed: [...installed].sort(), own: [...own].sort() };
}

const [version = ''] = process.argv.slice(2);
const [reference] = await unpack([`@scalar/api-reference@${version}`]);
if (reference === undefined) throw new Error(`@scalar/api-reference@${version} is not in the registry.`);
const map: unknown = JSON.parse(
  readFileSync(join(reference.folder, 'dist/browser/standalone.js.map'), 'utf8'),
);
const { installed, own } = contentsOf(z.object({ sources: z.array(z.string()) }).parse(map).sources);
const bundle = readReferenceBundle();
const bundleVersion = /\* @scalar\/api-reference (\S+)/.exec(bundle)?.[1] ?? '';
const tailwind = /tailwindcss v(\S+) \|/.exec(bundle)?.[1] ?? '';
const packages = await unpack([...installed, ...besides, `tailwindcss@${tailwind}`]);
const sources = [...packages, ...(await unpack(siblings))];
const without = packages.filter((one) => noticeOf(one, sources) === undefined);
const notices = packages.map(
  (one) => `## ${one.name} - ${one.version} (${one.license})\n\n${noticeOf(one, sources) ?? ''}`,
);
const ownText = readFileSync(
  join(projectRoot, 'node_modules/@scalar/fastify-api-reference/LICENSE'),
  'utf8',
).trim();
const head = `# Licences of the API reference

The API reference is Scalar's bundle for browsers. It contains the packages below.

## @scalar/api-reference - ${bundleVersion} (MIT)

With ${own.join(', ')}, which are developed together.

${ownText}`;
writeFileSync(join(projectRoot, noticesPath), `${[head, ...notices].join('\n\n')}\n`);
rmSync(folder, { recursive: true });
console.log(`${noticesPath}: ${packages.length + 1} packages`);
for (const one of without)
  console.log(`${one.name}@${one.version}: has neither a licence file nor an author`);
process.exitCode = without.length === 0 ? 0 : 1;
