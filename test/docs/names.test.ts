import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { toolDefinitions } from '../../src/workspace/registry.ts';
import { consoleEndpoints } from '../../src/api/endpoints/console.ts';
import { openApiDocument } from '../../src/api/openapi/openapi.ts';
import { projectRoot } from '../../src/local/project-root.ts';
import { knownSettings } from './known-settings.ts';
import { packageFile, readNpmCommand } from './npm-commands.ts';
import { anchorsOf, pages, readPage, type Page } from './pages.ts';

type Finder = (page: Page) => string[];
const places = ({ path, prose }: Page, pattern: RegExp): [what: string, place: string][] =>
  prose
    .split('\n')
    .flatMap((line, index) =>
      [...line.matchAll(pattern)].map(([, what = '']): [string, string] => [
        what,
        `${path}:${index + 1}: ${what}`,
      ]),
    );
/** Inline code, which may begin on one line and end on the next. */
const code = ({ prose }: Page) =>
  [...prose.matchAll(/(?<!`)`([^`]+)`(?!`)/g)].map(([, text = '']) => text.replaceAll(/\s*\n\s*/g, ' '));

const brokenLinks: Finder = (page) =>
  places(page, /(?<!`)\]\(<?([^)>\s]+)>?\)/g).flatMap(([target, place]) => {
    if (/^https?:/.test(target)) return [];
    const [path = '', anchor] = target.split('#');
    const file = path === '' ? page.path : normalize(join(dirname(page.path), decodeURIComponent(path)));
    if (!existsSync(join(projectRoot, file))) return [place];
    if (anchor === undefined) return [];
    const other = pages.find((one) => one.path === file) ?? page;
    return anchorsOf(other).has(anchor) ? [] : [place];
  });

const unknownScripts: Finder = (page) =>
  code(page)
    .filter((text) => /^(\w+=\S+ )*npm /.test(text))
    .filter((text) => {
      try {
        readNpmCommand(text);
        return false;
      } catch {
        return true;
      }
    });

const cliSource = globSync('src/cli/*.ts', { cwd: projectRoot })
  .map((path) => readFileSync(join(projectRoot, path), 'utf8'))
  .join('\n');
const isOfCli = (word: string) => new RegExp(`['\`" ]${word}['\`" ]`).test(cliSource);
/** The words and options after `npm run parley --`, or after its program's name in a container. */
const unknownCliWords: Finder = (page) =>
  code(page)
    .map((text) => /(?:parley --|src\/cli\/main\.ts) (.*)$/.exec(text)?.[1] ?? '')
    .filter((given) => given !== '' && given !== '…')
    .filter((given) => {
      const words = /^[a-z][a-z -]*[a-z]/.exec(given)?.[0].split(/\s+/) ?? ['(nothing)'];
      return ![...words, ...given.split(/[[\]\s]+/).filter((word) => word.startsWith('--'))].every(isOfCli);
    });

const folders = 'src|test|docs|workflows|activities|\\.ci|endpoints|schema|functions|domain|adapters';
/** Paths from the project's folder, or from one that the text is about; names alone, of any file. */
const lostFiles: Finder = (page) =>
  code(page)
    .flatMap((text) => text.split(/\s+/))
    .filter((word) => new RegExp(`^(${folders})/[\\w./*-]+$|^[\\w/-]+\\.(ts|tsx|yml|cjs|sql)$`).test(word))
    .filter((word) => {
      const name = word.replace(/\/$/, '');
      const tried = word.includes('/')
        ? ['', 'src', 'src/api', 'src/adapters', 'src/adapters/postgres', 'workflows'].map((folder) =>
            join(folder, name),
          )
        : [name, `{src,test,workflows,activities,examples}/**/${name}`];
      return globSync(tried, { cwd: projectRoot }).length === 0;
    });

const actionNames = new Set(toolDefinitions().map(({ action }) => action));
const upper = /^[A-Z][A-Z\d]*_[A-Z\d_]*[A-Z\d]$/;
/** Codes and placeholders in capitals that are no settings. */
const otherCapitals = new Set(['API_KEY', 'UNKNOWN_OUTCOME', 'NAME_FILE']);
const unknownSettings: Finder = (page) =>
  code(page)
    .flatMap((text) => text.split(/[\s=,;:"'{}()[\]/|<>.…]+/))
    .filter((word) => upper.test(word) && !actionNames.has(word) && !otherCapitals.has(word))
    .filter((word) => !knownSettings.has(word) && !knownSettings.has(word.replace(/_FILE$/, '')));

const document = openApiDocument('') as { paths: Record<string, Record<string, unknown>> };
const ofConsole = consoleEndpoints.map(({ method, path }) => `${method.toUpperCase()} /console/api${path}`);
const outsideV1 = new Set([
  ...['GET /healthz', 'GET /readyz', 'GET /metrics', 'GET /v1/openapi.json'],
  ...ofConsole,
]);
/** `GET /v1/…`, whatever stands for its parameters. */
const unknownCalls: Finder = (page) =>
  code(page)
    .flatMap((text) => [...text.matchAll(/\b(GET|POST|PUT|PATCH|DELETE) (\/[^\s?`"]*)/g)])
    .filter(([, method = '', path = '']) => {
      if (outsideV1.has(`${method} ${path}`)) return false;
      const parts = path.replace(/^\/v1/, '').split('/');
      return !Object.entries(document.paths).some(([known, operations]) => {
        const wanted = known.split('/');
        const fits = parts.every(
          (part, index) => (wanted[index] ?? '').startsWith('{') || part === wanted[index],
        );
        // `POST /v1/chat` speaks of the calls to any id.
        const whole =
          wanted.length === parts.length || (wanted.length === parts.length + 1 && wanted.at(-1) === '{id}');
        return fits && whole && method.toLowerCase() in operations;
      });
    })
    .map(([call]) => call);

describe('What README and docs name is there:', () => {
  const finders: [what: string, find: Finder, planted: string][] = [
    ['every link and its anchor', brokenLinks, '[x](docs/nothing.md) [y](README.md#nowhere)'],
    [
      'every npm script, with the settings before it',
      unknownScripts,
      '`npm run nothing` `NOBODY=1 npm start`',
    ],
    ['every file', lostFiles, '`src/nothing.ts` `test/nothing/`'],
    [
      'every command of parley',
      unknownCliWords,
      '`npm run parley -- nonesuch` `npm run parley -- token create --nobody`',
    ],
    ['every setting', unknownSettings, '`NOT_A_SETTING` `ANOTHER_ONE=2`'],
    ['every call of the API', unknownCalls, '`GET /v1/nothing` `PUT /v1/agents`'],
  ];
  for (const [what, find, planted] of finders) {
    it(what, () => {
      assert.equal(find(readPage('README.md', planted)).length, 2, 'what is planted is not found');
      const missing = pages.flatMap((page) => find(page).map((one) => `${page.path}: ${one}`));
      assert.deepEqual(missing, []);
    });
  }

  it('every page, in docs/README.md', () => {
    const index = pages.find(({ path }) => path === 'docs/README.md')?.prose ?? '';
    const others = pages.map(({ path }) => path).filter((path) => !path.endsWith('README.md'));
    assert.deepEqual(
      others.filter((path) => !index.includes(`](${basename(path)})`)),
      [],
    );
  });

  it('every script of package.json, somewhere', () => {
    const all = pages.flatMap(({ prose, blocks }) => [prose, ...blocks.map(({ text }) => text)]).join('\n');
    const unnamed = Object.keys(packageFile.scripts)
      .filter((script) => !/^(pre|post)install$/.test(script)) // npm runs them
      .filter((script) => !/^check:(format|code|types|dead)$/.test(script)) // parts of `npm run check`
      .filter((script) => !new RegExp(`npm (run )?${script}(?![\\w:])`).test(all));
    assert.deepEqual(unnamed, []);
  });
});
