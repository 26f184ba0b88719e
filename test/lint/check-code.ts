/**
 * Types and lint rules of the whole tree, over one program for each tsconfig: each file is read and typed once for both. A file is
 * linted again only if it, or what it imports, has changed since it was found good: node_modules/.cache keeps that, by content.
 * With a SAMPLE_SEED, as in CI, a third of the test code is linted, and all of the product.
 */
import { ESLint } from 'eslint';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';
import { projectRoot } from '../../src/local/project-root.ts';
import { isDrawn } from '../support/sample.ts';

const cacheFile = join(projectRoot, 'node_modules/.cache/parley/check-code.json');
const rulesFile = join(projectRoot, 'test/lint/eslint.config.js');

const hashOf = (...parts: readonly string[]): string => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${part.length}:`).update(part);
  return hash.digest('base64url');
};

/** What is known to be good, by the hash of what was judged. */
function readGood(): Set<string> {
  try {
    return new Set(JSON.parse(readFileSync(cacheFile, 'utf8')) as string[]);
  } catch {
    return new Set();
  }
}

/** What every verdict depends on: the packages, the rules, the settings of both programs, and this file. */
const ground = hashOf(
  process.version,
  ...['package.json', 'package-lock.json', 'tsconfig.json', 'src/console/tsconfig.json'].map((file) =>
    readFileSync(join(projectRoot, file), 'utf8'),
  ),
  readFileSync(rulesFile, 'utf8'),
  readFileSync(import.meta.filename, 'utf8'),
);

function programOf(config: string): ts.Program {
  const host: ts.ParseConfigFileHost = {
    ...ts.sys,
    onUnRecoverableConfigFileDiagnostic: (diagnostic) => {
      throw new Error(ts.flattenDiagnosticMessageText(diagnostic.messageText, '\n'));
    },
  };
  const parsed = ts.getParsedCommandLineOfConfigFile(join(projectRoot, config), {}, host);
  if (parsed === undefined) throw new Error(`${config} cannot be read`);
  const { fileNames, options, errors } = parsed;
  return ts.createProgram({ rootNames: fileNames, options, configFileParsingDiagnostics: errors });
}

/** @returns by file, a hash of its text and of all of the tree that it imports, directly or through others */
function hashesOf(program: ts.Program): Map<string, string> {
  const own = program.getSourceFiles().filter(({ fileName }) => !fileName.includes('/node_modules/'));
  const texts = new Map(own.map(({ fileName, text }) => [fileName, text]));
  // The tree imports its files by their relative paths, extensions included.
  const importsOf = (file: string): string[] =>
    ts
      .preProcessFile(texts.get(file) ?? '')
      .importedFiles.filter(({ fileName }) => fileName.startsWith('.'))
      .map(({ fileName }) => join(dirname(file), fileName));
  const imports = new Map([...texts.keys()].map((file) => [file, importsOf(file)]));
  const hashed = new Map([...texts].map(([file, text]) => [file, hashOf(text)]));
  // Change types that other files do not import.
  const everywhere = [...texts.values()].filter((text) => /^declare (?:global|module)\b/m.test(text));
  return new Map(
    [...texts.keys()].map((file) => {
      const reached = new Set([file]);
      // The set grows meanwhile.
      for (const one of reached) for (const imported of imports.get(one) ?? []) reached.add(imported);
      const parts = [...reached].sort().flatMap((one) => [one, hashed.get(one) ?? '']);
      return [file, hashOf(ground, ...everywhere, file, ...parts)];
    }),
  );
}

const tree = programOf('tsconfig.json');
const ofConsole = programOf('src/console/tsconfig.json');
const hashes = new Map([...hashesOf(tree), ...hashesOf(ofConsole)]);
const good = readGood();

const wholeTree = hashOf(...[...hashes].flat());
const wrong = good.has(wholeTree)
  ? []
  : [tree, ofConsole].flatMap((program) => ts.getPreEmitDiagnostics(program));
const format = {
  getCurrentDirectory: () => projectRoot,
  getCanonicalFileName: String,
  getNewLine: () => '\n',
};
if (wrong.length > 0) console.log(ts.formatDiagnostics(wrong, format));

const over = (files: string, program: ts.Program) => ({
  files: [files],
  languageOptions: { parserOptions: { projectService: false, programs: [program] } },
});
const eslint = new ESLint({
  cwd: projectRoot,
  overrideConfigFile: rulesFile,
  overrideConfig: [over('**/*.{ts,tsx}', tree), over('src/console/**/*.{ts,tsx}', ofConsole)],
  warnIgnored: false,
  errorOnUnmatchedPattern: false,
});
const isWanted = (file: string): boolean =>
  process.env['SAMPLE_SEED'] === undefined || !file.startsWith('test/') || isDrawn(file, 3);
const named = [...hashes].map(([file, hash]) => ({ file: relative(projectRoot, file), hash }));
const judged = named.filter(({ file, hash }) => !good.has(hash) && isWanted(file));
// Beside them what is in no program: scripts, and what the configurations forgot.
const results = await eslint.lintFiles([
  ...judged.map(({ file }) => file),
  '**/*.{js,cjs,mjs}',
  '*.{ts,tsx}',
]);
const said = await (await eslint.loadFormatter('stylish')).format(results);
if (said !== '') console.log(said);
const broken = new Set(
  results
    .filter(({ errorCount, warningCount }) => errorCount + warningCount > 0)
    .map(({ filePath }) => filePath),
);
process.exitCode = wrong.length > 0 || broken.size > 0 ? 1 : 0;
mkdirSync(dirname(cacheFile), { recursive: true });
const stillGood = named.filter(({ hash }) => good.has(hash));
const nowGood = judged.filter(({ file }) => !broken.has(join(projectRoot, file)));
const types = wrong.length > 0 ? [] : [wholeTree];
writeFileSync(cacheFile, JSON.stringify([...[...stillGood, ...nowGood].map(({ hash }) => hash), ...types]));
