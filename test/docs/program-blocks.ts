/** Checks blocks of TypeScript and Python: excerpts of programs that the tests run, or whole programs. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { projectRoot } from '../../src/local/project-root.ts';

const unindented = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .join('\n');

/** @throws AssertionError if no example contains its lines one after the other, and its types do not fit */
export function checkProgram(text: string): void {
  const examples = globSync('examples/*.{ts,py}', { cwd: projectRoot });
  const sources = examples.map((path) => unindented(readFileSync(join(projectRoot, path), 'utf8')));
  if (sources.some((source) => source.includes(unindented(text)))) return;
  assert.match(text, /^import .* from '/, 'it stands in no file of examples/, and is no program by itself');
  const problems = typeProblems(text);
  assert.deepEqual(problems, []);
}

/** What a block leaves to its reader has no name in it: only that is let pass. */
const nameOfReader = 2304;

function typeProblems(text: string): string[] {
  const path = join(projectRoot, 'block-of-a-page.ts');
  const options: ts.CompilerOptions = {
    ...{ strict: true, noEmit: true, skipLibCheck: true, allowImportingTsExtensions: true },
    ...{ target: ts.ScriptTarget.ES2024, module: ts.ModuleKind.NodeNext, types: ['node'] },
    ...{ moduleResolution: ts.ModuleResolutionKind.NodeNext, ignoreDeprecations: '6.0' },
    paths: { '@parley/client': [join(projectRoot, 'src/client/index.ts')] },
  };
  const host = ts.createCompilerHost(options);
  const readFile = host.getSourceFile.bind(host);
  host.getSourceFile = (name, language, ...rest) =>
    name === path ? ts.createSourceFile(name, text, language) : readFile(name, language, ...rest);
  const program = ts.createProgram([path], options, host);
  return ts
    .getPreEmitDiagnostics(program, program.getSourceFile(path))
    .filter(({ code }) => code !== nameOfReader)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '));
}
