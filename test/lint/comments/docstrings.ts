/**
 * Finds exported functions and public methods of exported classes without a docstring, and functions whose docstring
 * does not name the errors that they throw. Run alone, it lists them.
 */
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

/** A function or a member of a class, with the node that its docstring precedes. */
interface Documented {
  name: string;
  node: ts.Node;
  body: ts.SignatureDeclaration;
  isExported: boolean;
}

/**
 * @returns `file:line name` of each exported function, and of each function in an exported constant, without a
 * docstring. In a file that exports one thing, the comment at the top of the file counts. The docstring of one overload
 * counts for all.
 */
export function undocumented(file: string, code = readCode(file)): string[] {
  const source = parsed(file, code);
  const values = source.statements.filter(
    (node) => isExported(node) && !ts.isInterfaceDeclaration(node) && !ts.isTypeAliasDeclaration(node),
  );
  if (values.length === 1 && code.trimStart().startsWith('/**')) return [];
  const functions = values.flatMap(functionsOf);
  const isDocumented = new Set(
    functions.filter(({ node }) => docstring(node) !== '').map(({ name }) => name),
  );
  return functions.filter(({ name }) => !isDocumented.has(name)).map((one) => placeOf(source, one));
}

/**
 * @returns `file:line Class.name` of each public method, getter and setter of an exported class without a docstring.
 * The docstring of one overload counts for all.
 */
export function undocumentedMethods(file: string, code = readCode(file)): string[] {
  const source = parsed(file, code);
  const members = source.statements.filter(isExported).flatMap(membersOf);
  const isDocumented = new Set(members.filter(({ node }) => docstring(node) !== '').map(({ name }) => name));
  return members
    .filter(
      ({ name, body, isExported: isPublic }) =>
        isPublic && !ts.isConstructorDeclaration(body) && !isDocumented.has(name),
    )
    .map((one) => placeOf(source, one));
}

/**
 * @returns `file:line name: errors` of each function, method and constructor that throws an error that it creates, but
 * has no docstring that names one of these errors or says when it throws. The docstring of one overload counts for all.
 * What a function inside of it throws does not count, because that may run later.
 */
export function undocumentedErrors(file: string, code = readCode(file)): string[] {
  const source = parsed(file, code);
  const all = source.statements.flatMap((node) => [...functionsOf(node), ...membersOf(node)]);
  return all.flatMap((one) => {
    const errors = [...new Set(thrownBy(one.body))];
    const overloads = all.filter(({ name }) => name === one.name);
    const said = overloads.map(({ node }) => docstring(node)).join('\n');
    if (errors.length === 0 || /\bthrow/i.test(said) || errors.some((error) => said.includes(error)))
      return [];
    return [`${placeOf(source, one)}: ${errors.join(', ')}`];
  });
}

const readCode = (file: string): string => readFileSync(join(projectRoot, file), 'utf8');

const parsed = (file: string, code: string): ts.SourceFile =>
  ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true);

const placeOf = (source: ts.SourceFile, { node, name }: Documented): string =>
  `${source.fileName}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1} ${name}`;

const docstring = (node: ts.Node): string =>
  ts
    .getJSDocCommentsAndTags(node)
    .map((part) => part.getText())
    .join('\n');

const has = (node: ts.Node, ...kinds: ts.SyntaxKind[]): boolean =>
  ts.canHaveModifiers(node) && ts.getModifiers(node)?.some(({ kind }) => kinds.includes(kind)) === true;

const isExported = (node: ts.Node): boolean => has(node, ts.SyntaxKind.ExportKeyword);

/** The function of a declaration, or the functions of the constants that a statement declares. */
function functionsOf(node: ts.Statement): Documented[] {
  if (ts.isFunctionDeclaration(node))
    return [{ name: node.name?.text ?? 'default', node, body: node, isExported: isExported(node) }];
  if (!ts.isVariableStatement(node)) return [];
  return node.declarationList.declarations.flatMap(({ name, initializer }) =>
    initializer !== undefined && (ts.isArrowFunction(initializer) || ts.isFunctionExpression(initializer))
      ? [{ name: name.getText(), node, body: initializer, isExported: isExported(node) }]
      : [],
  );
}

/** The methods, accessors and constructors of a class, and its properties that are functions. */
function membersOf(node: ts.Statement): Documented[] {
  if (!ts.isClassDeclaration(node)) return [];
  return node.members.flatMap((member) => {
    const initializer = ts.isPropertyDeclaration(member) ? member.initializer : undefined;
    const body =
      ts.isMethodDeclaration(member) || ts.isAccessor(member) || ts.isConstructorDeclaration(member)
        ? member
        : initializer !== undefined && ts.isArrowFunction(initializer)
          ? initializer
          : undefined;
    if (body === undefined) return [];
    const isPrivate =
      has(member, ts.SyntaxKind.PrivateKeyword, ts.SyntaxKind.ProtectedKeyword) ||
      (member.name !== undefined && ts.isPrivateIdentifier(member.name));
    const name = `${node.name?.text ?? 'default'}.${member.name?.getText() ?? 'constructor'}`;
    return [{ name, node: member, body, isExported: isExported(node) && !isPrivate }];
  });
}

/** Names of the errors that the body itself creates and throws, and of the functions that create them. */
function thrownBy(body: ts.Node): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node)) return;
    if (
      ts.isThrowStatement(node) &&
      (ts.isNewExpression(node.expression) || ts.isCallExpression(node.expression))
    )
      found.push(node.expression.expression.getText());
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(body, visit);
  return found;
}

const find = (places: (file: string) => string[]): string[] =>
  sourceFiles()
    .filter((file) => /\.tsx?$/.test(file))
    .flatMap((file) => places(file));

/** Exported functions without a docstring, by room. */
export function undocumentedByRoom(): Record<string, string[]> {
  const found = find(undocumented);
  return Object.fromEntries(
    rooms.map((room) => [room, found.filter((place) => place.startsWith(`${room}/`))]),
  );
}

/** Public methods without a docstring, and functions that do not document their errors, in the whole product. */
export const undocumentedInProduct = (): { methods: string[]; errors: string[] } => ({
  methods: find(undocumentedMethods),
  errors: find(undocumentedErrors),
});

if (import.meta.main) {
  for (const [room, found] of Object.entries({ ...undocumentedByRoom(), ...undocumentedInProduct() })) {
    console.log(`${room}: ${found.length}${found.map((line) => `\n  ${line}`).join('')}`);
  }
}
