/**
 * Reads the texts in code that people read although they are no comments: titles of tests, and sentences in strings,
 * such as errors, log messages, help texts of metrics, OpenAPI descriptions and texts of the console.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { projectRoot } from '../../../src/local/project-root.ts';
import type { Comment } from './read-comments.ts';

/** The titles that a test file gives to `describe` and `it`, also to their variants such as `describe.each`. */
export function readTitles(file: string, code = readFileSync(join(projectRoot, file), 'utf8')): Comment[] {
  return textsOf(file, code, isTitle);
}

/**
 * The sentences of a file: its strings with at least two words. SQL and other texts for programs are tagged templates,
 * which do not count. An inserted value is `…`.
 */
export function readSentences(file: string, code = readFileSync(join(projectRoot, file), 'utf8')): Comment[] {
  return textsOf(file, code, () => true).filter(({ text }) => /[a-z]+[,;:]? [a-z]+/i.test(text));
}

function textsOf(file: string, code: string, isWanted: (node: ts.Node) => boolean): Comment[] {
  const source = ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true);
  const found: Comment[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isTaggedTemplateExpression(node)) return;
    const text = isWanted(node) ? textOf(node) : undefined;
    if (text !== undefined) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart());
      found.push({ file, line: line + 1, text: text.replace(/\s+/g, ' ').trim() });
    }
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(source, visit);
  return found;
}

function textOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteralLike(node) || ts.isJsxText(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return undefined;
  return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('…');
}

function isTitle(node: ts.Node): boolean {
  const { parent } = node;
  return (
    ts.isCallExpression(parent) &&
    parent.arguments[0] === node &&
    /^(describe|it)\b/.test(parent.expression.getText())
  );
}
