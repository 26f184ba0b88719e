/** Which language the console takes, and whether its translations say what English says. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { languageFor, languages, localeFor } from '../../src/console/language.ts';
import { texts as english } from '../../src/console/messages.ts';
import { texts as spanish } from '../../src/console/messages/es/index.ts';
import { texts as portuguese } from '../../src/console/messages/pt-BR/index.ts';
import { actionTexts } from '../../src/console/messages/workspace-actions.ts';
import { projectRoot } from '../../src/local/project-root.ts';

const translations = { 'pt-BR': portuguese, es: spanish };

/** Fields whose texts are values of the program. */
const codes = /^overview\.periods\.\d\.value$|\.preset$|^models\.suggested\.|^conversations\.keys\.\d\.0$/;

/** Arguments that fit most functions of texts. Those that make the English function throw are left out. */
const samples: readonly (readonly unknown[])[] = [
  [11, 13, 17, 19],
  [1, 1, 1, 1],
  [0, 0, 0, 0],
  [2011, 2013, 2017, 2019],
  ['Zebra', 'Lynx', 'Heron', 'Otter'],
  ['Zebra', 23, 29, 'Otter'],
  ['Zebra', null],
  ['1', null],
  [undefined, 0],
  [null],
  [['Zebra']],
  [['Zebra', 'Lynx']],
  [3, ['Zebra', 'Lynx']],
  [1, ['Zebra']],
  ['Zebra', ['Lynx', 'Heron']],
];

/** Arguments of functions that none of the samples fits. */
const ownSamples: Readonly<Record<string, readonly (readonly unknown[])[]>> = {
  'health.checked': [
    [['models', 'webhooks'], english.health.areas],
    [[], english.health.areas],
  ],
  'health.limit.reached': [['credits'], ['messages']],
  'health.limit.near': [['credits'], ['messages']],
  'health.limit.used': [[11, 13, 'credits']],
  'rehearsals.outcomeCount': [
    [11, 'other_text'],
    [1, 'other_text'],
  ],
  'data.retentionQuestion.size': [
    [30, { whole: 11, part: 13, complete: true }],
    [30, { whole: 1, part: 0, complete: true }],
    [30, { whole: 0, part: 1, complete: false }],
  ],
};

type Pair = { path: string; english: string; translated: string; args: readonly unknown[] };

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
const isFunction = (value: unknown): value is (...args: readonly unknown[]) => unknown =>
  typeof value === 'function';

const isOfTexts = (value: unknown): boolean =>
  typeof value === 'string' || (isRecord(value) && Object.values(value).every(isOfTexts));

/** @returns what the function gives for the sample; undefined if it throws, or the sample does not fit */
function called(text: (...args: readonly unknown[]) => unknown, args: readonly unknown[]): unknown {
  try {
    const result = text(...args.slice(0, Math.max(text.length, 1)));
    return isOfTexts(result) && !/undefined|NaN|\[object/.test(JSON.stringify(result)) ? result : undefined;
  } catch {
    return undefined;
  }
}

/** Every text of both, in pairs. @throws AssertionError if one has a key, a function or a type that the other lacks */
function pairsOf(source: unknown, translated: unknown, path: string, args: readonly unknown[] = []): Pair[] {
  if (typeof source === 'string') {
    assert.ok(typeof translated === 'string', `${path} is no text`);
    return [{ path, english: source, translated, args }];
  }
  if (isFunction(source)) {
    assert.ok(isFunction(translated), `${path} is no function`);
    assert.equal(translated.length, source.length, `${path} takes other arguments`);
    const fitting = (ownSamples[path] ?? samples).flatMap((sample) => {
      const result = called(source, sample);
      return result === undefined ? [] : [{ sample, result }];
    });
    assert.ok(fitting.length > 0, `no sample fits ${path}`);
    return fitting.flatMap(({ sample, result }) =>
      pairsOf(result, translated(...sample), path, sample.slice(0, Math.max(source.length, 1))),
    );
  }
  assert.ok(isRecord(source) && isRecord(translated), `${path} is no object`);
  assert.deepEqual(Object.keys(translated).sort(), Object.keys(source).sort(), `keys of ${path}`);
  return Object.keys(source).flatMap((key) =>
    pairsOf(source[key], translated[key], path === '' ? key : `${path}.${key}`, args),
  );
}

/** Arguments that are values of the program: a function has a text for each. */
const codeArguments = ['credits', 'messages', 'models', 'webhooks'];

/** The texts of the arguments that can be found in a result. */
const shownOf = (args: readonly unknown[]): string[] =>
  args
    .flat()
    .filter((arg) => typeof arg === 'number' || typeof arg === 'string')
    .map((arg) => (typeof arg === 'number' ? arg.toLocaleString('en') : arg))
    .filter((shown) => shown.length > 1 && !codeArguments.includes(shown));

const wordCount = (text: string) => text.split(/\s+/).filter((word) => /\p{L}/u.test(word)).length;
const ending = (text: string) => /(?:[.?:]| …|…)? ?$/.exec(text)?.[0].replace(' …', '…') ?? '';
/** What a translation must not translate: URLs, fields, settings, headers, paths. */
const codeWords =
  /https?:\/\/[^\s,]*\w|\b[a-z]+(?:_[a-z]+)+\b|\b[A-Z]+(?:_[A-Z]+)+\b|\b[A-Z]\w+(?:-[A-Z]\w+)+\b/g;

const say = ({ path, english: one, translated }: Pair) => `${path}: “${one}” — “${translated}”`;

describe('The language of the console', () => {
  it('is the chosen one, else the first of the browser that it has, else English', () => {
    assert.equal(languageFor('es', ['pt-BR']), 'es');
    assert.equal(languageFor('en', ['pt-BR']), 'en');
    for (const nothing of [null, undefined, '', 'pt', 'toString', 7]) {
      assert.equal(languageFor(nothing, ['pt-BR', 'en']), 'pt-BR');
      assert.equal(languageFor(nothing, ['pt']), 'pt-BR');
      assert.equal(languageFor(nothing, ['pt-PT']), 'pt-BR');
      assert.equal(languageFor(nothing, ['es-419']), 'es');
      assert.equal(languageFor(nothing, ['de', 'ES-mx', 'pt-BR']), 'es');
      assert.equal(languageFor(nothing, ['en-GB', 'pt-BR']), 'en');
      assert.equal(languageFor(nothing, ['de-DE']), 'en');
      assert.equal(languageFor(nothing, []), 'en');
    }
  });

  it('formats numbers and times as the browser does, unless the browser has another language', () => {
    assert.equal(localeFor('en', 'en-GB'), 'en-GB');
    assert.equal(localeFor('en', 'de'), 'en');
    assert.equal(localeFor('es', 'es-MX'), 'es-MX');
    assert.equal(localeFor('es', 'en-US'), 'es');
    assert.equal(localeFor('pt-BR', 'en-US'), 'pt-BR');
  });

  it('has a folder of texts for each but English', () => {
    const entries = readdirSync(join(projectRoot, 'src/console/messages'), { withFileTypes: true });
    const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
    assert.deepEqual(['en', ...folders].sort(), Object.keys(languages).sort());
    assert.deepEqual(Object.keys(translations).sort(), folders.sort());
  });
});

for (const [name, texts] of Object.entries(translations))
  describe(`The console’s texts in ${name}`, () => {
    let pairs: Pair[];
    const none = (isFault: (pair: Pair) => boolean) => {
      const faults = pairs.filter((pair) => !codes.test(pair.path) && isFault(pair)).map(say);
      assert.deepEqual([...new Set(faults)], []);
    };

    before(() => {
      pairs = pairsOf(english, texts, '');
    });

    it('have the keys and functions of English, and a text for each', () => {
      assert.ok(pairs.length > 2000);
      none(({ english: one, translated }) => (one.trim() === '') !== (translated.trim() === ''));
    });

    it('are translated: none of three words and more is the English one', () => {
      none(({ english: one, translated, args }) => {
        const own = shownOf(args).reduce((text, shown) => text.replaceAll(shown, ''), one);
        return one === translated && wordCount(own) >= 3;
      });
    });

    it('contain every argument that English contains', () => {
      none(({ english: one, translated, args }) =>
        shownOf(args).some((shown) => one.includes(shown) && !translated.includes(shown)),
      );
    });

    it('end as English does, and keep code words, settings and URLs', () => {
      none(({ english: one, translated }) => ending(one) !== ending(translated));
      none(({ english: one, translated }) =>
        [...one.matchAll(codeWords)].some(([word]) => !translated.includes(word)),
      );
    });

    it('leave values of the program as they are', () => {
      for (const pair of pairs.filter(({ path }) => codes.test(path)))
        assert.equal(pair.translated, pair.english, pair.path);
      const presets = (of: Readonly<Record<string, { preset: string }>>) =>
        Object.entries(of).map(([id, { preset }]) => [id, preset]);
      assert.deepEqual(presets(texts.workspaceActions.actions), presets(actionTexts));
    });

    it('give each action of the document workspace a name of its own', () => {
      const names = Object.values(texts.workspaceActions.actions).map((action) => action.name);
      assert.equal(new Set(names).size, names.length);
    });
  });
