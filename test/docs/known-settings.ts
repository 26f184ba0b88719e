/** Every environment variable that a page may name: what each program reads. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { settingNames } from '../../src/config.ts';
import { projectRoot } from '../../src/local/project-root.ts';
import { localSettingNames } from '../../src/local/settings.ts';

const textOf = (path: string) => readFileSync(join(projectRoot, path), 'utf8');
const matches = (path: string, pattern: RegExp) =>
  [...textOf(path).matchAll(pattern)].map(([, name = '']) => name);

/** Read by Temporal's own client library. */
const temporalNames = matches(
  'node_modules/@temporalio/envconfig/lib/envconfig-toml.js',
  /envProvider\['(TEMPORAL_\w+)'\]/g,
);

/** Settings of docker-compose.yml, which has a default for each: `${NAME:-…}`. */
export const composeDefaults: Readonly<Record<string, string>> = Object.fromEntries(
  [...textOf('docker-compose.yml').matchAll(/(?<!\$)\$\{(\w+):-([^}]*)\}/g)].map(
    ([, name = '', value = '']) => [name, value],
  ),
);

const others: [name: string, path: string][] = [
  ['TEMPORAL_CLI', 'src/local/temporal-binary.ts'],
  ['TEMPORAL_CLI_SHA256', 'src/local/temporal-binary.ts'],
  ['XDG_CACHE_HOME', 'src/local/cache-folder.ts'],
  ['SCREENSHOTS', 'test/support/browser/console.ts'],
  ['LOCALES', 'test/bench/console/pictures.ts'],
];

/** Settings of the programs in examples/. */
const exampleNames = globSync('examples/*.{ts,py,mjs}', { cwd: projectRoot }).flatMap((path) =>
  matches(path, /(?:setting\(|environ\[|environ\.get\(|\benv\[)['"](\w+)['"]/g),
);

export const knownSettings: ReadonlySet<string> = new Set([
  ...settingNames,
  ...localSettingNames,
  ...temporalNames,
  ...Object.keys(composeDefaults),
  ...exampleNames,
  ...others.flatMap(([name, path]) => matches(path, new RegExp(`env\\['(${name})'\\]`, 'g'))),
]);
