/**
 * Counts banned habits in comments, documents, sentences in strings and titles of tests: `npm run comments:habits`
 * lists each place.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../../src/local/project-root.ts';
import { boundNames, habits } from './habits.ts';
import { otherFiles, readComments, sourceFiles, type Comment } from './read-comments.ts';
import { readSentences, readTitles } from './read-texts.ts';

/** The pages of documentation and every README, sorted. */
export function documentFiles(): string[] {
  return globSync('{README.md,docs/*.md,{examples,src,test}/**/README.md}', { cwd: projectRoot }).sort();
}

/** Paragraphs of Markdown without code blocks. */
export function readDocument(file: string, text = readFileSync(join(projectRoot, file), 'utf8')): Comment[] {
  const prose = text.replace(/^```[\s\S]*?^```/gm, (code) => code.replace(/[^\n]/g, ''));
  let line = 1;
  return prose.split(/(\n\s*\n)/).flatMap((part) => {
    const at = { file, line, text: part.replace(/\s+/g, ' ').trim() };
    line += part.split('\n').length - 1;
    return at.text === '' ? [] : [at];
  });
}

/** Without code spans: they quote names that stay. */
export const proseOf = (text: string): string => text.replace(/`[^`]*`/g, '``');

/** False for SQL, and for the translations of the console, which have a folder for each language. */
const isEnglishCode = (file: string): boolean =>
  /\.tsx?$/.test(file) && !/^src\/console\/messages\/.+\//.test(file);

/** Places of each habit, as `file:line text`. */
export function findHabits(): Record<string, string[]> {
  const files = sourceFiles();
  const others = otherFiles();
  const texts = [
    ...[...files, ...others].flatMap((file) => readComments(file)),
    ...documentFiles().flatMap((file) => readDocument(file)),
    ...files.filter((file) => isEnglishCode(file)).flatMap((file) => readSentences(file)),
    ...others.filter((file) => file.endsWith('.ts')).flatMap((file) => readTitles(file)),
  ].map((one) => ({ ...one, prose: proseOf(one.text) }));
  const found: Record<string, string[]> = Object.fromEntries(
    habits.map(({ name, pattern }) => [
      name,
      texts
        .filter(({ prose }) => pattern.test(prose))
        .map(({ file, line, text }) => `${file}:${line} ${text}`),
    ]),
  );
  found['names of bounds'] = files
    .filter((file) => /\.tsx?$/.test(file))
    .flatMap((file) => {
      const names = readFileSync(join(projectRoot, file), 'utf8').match(boundNames) ?? [];
      return [...new Set(names)].map((name) => `${file} ${name}`);
    });
  return found;
}

if (import.meta.main) {
  for (const [habit, places] of Object.entries(findHabits())) {
    console.log(`${habit}: ${places.length}${places.map((place) => `\n  ${place}`).join('')}`);
  }
}
