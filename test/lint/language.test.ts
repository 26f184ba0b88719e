/** The house style: banned habits in all texts and names, and missing docstrings. */
import assert from 'node:assert/strict';
import { documentFiles, findHabits, proseOf, readDocument } from './comments/count.ts';
import {
  undocumented,
  undocumentedByRoom,
  undocumentedErrors,
  undocumentedInProduct,
  undocumentedMethods,
} from './comments/docstrings.ts';
import { boundNames, habits } from './comments/habits.ts';
import { otherFiles, readComments, sourceFiles, type Comment } from './comments/read-comments.ts';
import { readSentences, readTitles } from './comments/read-texts.ts';

// Places that are left. Lower a number when there are fewer; never raise one.
const habitCeilings: Readonly<Record<string, number>> = {
  'things that speak': 0,
  'told, heard': 0,
  'says so': 0,
  stands: 0,
  'has to be': 0,
  mend: 0,
  'in place of': 0,
  anew: 0,
  'under way': 0,
  'no more, any more': 0,
  'goes on': 0,
  'by itself': 0,
  'where as a condition': 0,
  'what as a subject': 0,
  'fragment that leans on the text before': 0,
  'sweep, housekeeping': 0,
  'words for texts': 0,
  'names of bounds': 0,
};
const docstringCeilings: Readonly<Record<string, number>> = {
  'src/domain': 0,
  'src/app': 0,
  'src/adapters': 0,
  'src/api': 0,
  'src/limits': 0,
  'src/worker': 0,
  activities: 0,
  workflows: 0,
};

const textsOf = (found: readonly Comment[]): string[] => found.map(({ text }) => text);

describe('Lint of language', () => {
  let found: Record<string, string[]>;

  before(() => {
    found = findHabits();
  });

  for (const [name, ceiling] of Object.entries(habitCeilings)) {
    it(`"${name}" occurs at most ${ceiling} times in comments, documents, strings, test titles and names`, () => {
      const places = found[name]!;
      assert.ok(
        places.length <= ceiling,
        `${places.length} places, see test/lint/comments/habits.ts\n${places.join('\n')}`,
      );
    });
  }

  it('has a ceiling for every habit', () => {
    assert.deepEqual(Object.keys(found).sort(), Object.keys(habitCeilings).sort());
  });

  for (const { name, pattern, caught, fine } of habits) {
    it(`"${name}" catches its planted examples and leaves similar texts alone`, () => {
      for (const text of caught) assert.match(proseOf(text), pattern);
      for (const text of fine) assert.doesNotMatch(proseOf(text), pattern);
    });
  }

  it('finds planted comments of every form, and names of bounds', () => {
    const code =
      '/** Top. */\n// One\n// run.\nconst mostRows = 1; // Behind.\n/*\n * Block of\n * two.\n */\n';
    assert.deepEqual(
      readComments('planted.ts', code).map(({ line, text }) => `${line} ${text}`),
      ['1 * Top.', '2 One run.', '4 Behind.', '5 Block of two.'].map((text) => text.replace('* ', '')),
    );
    assert.deepEqual(readComments('planted.sql', '-- One\n-- run.\nselect 1;\n'), [
      { file: 'planted.sql', line: 1, text: 'One run.' },
    ]);
    assert.deepEqual(code.match(boundNames), ['mostRows']);
  });

  it('finds planted titles of suites and tests', () => {
    const code = `
      describe('A suite', () => {
        it('goes on', () => {});
        for (const one of [1]) it(\`is told \${one} thing\`, () => {});
        it(title, () => {});
        assert.equal('no title', 'goes on');
      });`;
    assert.deepEqual(textsOf(readTitles('planted.test.ts', code)), ['A suite', 'goes on', 'is told … thing']);
  });

  it('finds planted sentences in errors, logs, metrics, OpenAPI texts and texts of the console', () => {
    const code = `
      throw new Error('It stands in the row.');
      log.warn({ id }, 'the work goes on');
      new Counter({ name: 'parley_calls', help: 'Calls under way' });
      const schema = z.string().describe('What is wrong with it');
      export const texts = { empty: 'Nothing here', of: (one: string) => \`Of \${one}, no more\` };
      const page = <p>In place of it</p>;
      const key = 'one-word';
      const query = sql\`select anew from it\`;`;
    assert.deepEqual(textsOf(readSentences('planted.tsx', code)), [
      'It stands in the row.',
      'the work goes on',
      'Calls under way',
      'What is wrong with it',
      'Nothing here',
      'Of …, no more',
      'In place of it',
    ]);
  });

  it('finds planted paragraphs of a document, without its code', () => {
    const text = '# A title\n\nIt goes\non.\n\n```sh\nnpm run anew\n```\n';
    assert.deepEqual(textsOf(readDocument('planted.md', text)), ['# A title', 'It goes on.']);
  });

  it('reads the product, the tests, the examples and every README', () => {
    const files = new Set([...sourceFiles(), ...otherFiles(), ...documentFiles()]);
    for (const file of [
      ...['src/log.ts', 'activities/index.ts', 'workflows/index.ts', 'src/console/messages/tools.ts'],
      ...['test/lint/language.test.ts', 'test/support/until.ts', 'examples/ask.ts'],
      ...['README.md', 'docs/data.md', 'examples/README.md', 'src/client/README.md', 'test/README.md'],
      'src/workspace/README.md',
    ])
      assert.ok(files.has(file), file);
  });
});

describe('Lint of docstrings', () => {
  const found = undocumentedByRoom();
  const { methods, errors } = undocumentedInProduct();

  for (const [room, ceiling] of Object.entries(docstringCeilings)) {
    it(`at most ${ceiling} exported functions of ${room} have no docstring`, () => {
      const places = found[room]!;
      assert.ok(places.length <= ceiling, `${places.length} functions\n${places.join('\n')}`);
    });
  }

  it('catches planted functions without a docstring', () => {
    const two =
      'export function a() {}\n/** Said. */\nexport const b = () => 1;\nexport const c = () => 2;\n';
    assert.deepEqual(undocumented('planted.ts', two), ['planted.ts:1 a', 'planted.ts:4 c']);
    assert.deepEqual(undocumented('planted.ts', '/** Said above. */\nexport function a() {}\n'), []);
  });

  it('every public method of an exported class has a docstring', () => {
    assert.deepEqual(methods, []);
  });

  it('every function that throws an error of its own names it, or says when it throws', () => {
    assert.deepEqual(errors, []);
  });

  it('catches planted public methods and getters without a docstring, and no private ones', () => {
    const planted = `export class A {
      constructor() {}
      one(): void {}
      /** Said. */
      two(): void {}
      get three() { return 3; }
      four = () => 4;
      /** Said of both. */
      five(): void;
      five(by?: number): void {}
      private six() {}
      #seven() {}
    }
    class Inner { eight() {} }`;
    assert.deepEqual(undocumentedMethods('planted.ts', planted), [
      'planted.ts:3 A.one',
      'planted.ts:6 A.three',
      'planted.ts:7 A.four',
    ]);
  });

  it('catches planted functions that throw an error which their docstring does not name', () => {
    const planted = `/** Returns one. */
      export function a() { if (1 > 0) throw new RangeError('a'); return 1; }
      /** Fails with a RangeError. */
      const b = () => { throw new RangeError('b'); };
      /** @throws if it is called */
      function c() { throw new Error('c'); }
      function d() { return () => { throw new Error('later'); }; }
      function made() { throw refusal('made'); }
      /** @throws if it is called with none */
      function h(): void;
      function h(by?: number): void { throw refusal(by); }
      class E {
        constructor() { throw new TypeError('e'); }
        #f() { try { a(); } catch { throw new Error('f'); } }
        g(error: Error) { throw error; }
      }`;
    assert.deepEqual(undocumentedErrors('planted.ts', planted), [
      'planted.ts:2 a: RangeError',
      'planted.ts:8 made: refusal',
      'planted.ts:13 E.constructor: TypeError',
      'planted.ts:14 E.#f: Error',
    ]);
  });
});
