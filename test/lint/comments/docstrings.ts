/** Counts exported functions without a docstring, room by room. Run alone, it lists them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { projectRoot } from '../../../src/local/project-root.ts';
import { sourceFiles } from './read-comments.ts';

export const rooms = [
  'src/domain',
  'src/app',
  'src/adapters',
  'src/api',
  'src/limits',
  'src/worker',
  'activities',
  'workflows',
];

/**
 * @returns `file:line name` of each exported function, and of each function in an exported constant, without a
 * docstring. In a file that exports one thing, the comment at the top of the file counts.
 */
export function undocumented(file: string, code = readFileSync(join(projectRoot, file), 'utf8')): string[] {
  const source = ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true);
  const exported = source.statements.filter(
    (node) =>
      ts.canHaveModifiers(node) &&
      ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true,
  );
  const values = exported.filter(
    (node) => !ts.isInterfaceDeclaration(node) && !ts.isTypeAliasDeclaration(node),
  );
  const isDocumentedByFile = values.length === 1 && code.trimStart().startsWith('/**');
  return values.flatMap((node) => {
    const name = functionName(node);
    if (name === undefined || isDocumentedByFile || ts.getJSDocCommentsAndTags(node).length > 0) return [];
    return [`${file}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1} ${name}`];
  });
}

function functionName(node: ts.Statement): string | undefined {
  if (ts.isFunctionDeclaration(node)) return node.name?.text;
  if (!ts.isVariableStatement(node)) return undefined;
  const found = node.declarationList.declarations.find(
    ({ initializer }) =>
      initializer !== undefined && (ts.isArrowFunction(initializer) || ts.isFunctionExpression(initializer)),
  );
  return found?.name.getText();
}

/** All of them, by room. */
export function undocumentedByRoom(): Record<string, string[]> {
  const files = sourceFiles().filter((file) => /\.tsx?$/.test(file));
  return Object.fromEntries(
    rooms.map((room) => [
      room,
      files.filter((file) => file.startsWith(`${room}/`)).flatMap((file) => undocumented(file)),
    ]),
  );
}

if (import.meta.main) {
  for (const [room, found] of Object.entries(undocumentedByRoom())) {
    console.log(`${room}: ${found.length}${found.map((line) => `\n  ${line}`).join('')}`);
  }
}
