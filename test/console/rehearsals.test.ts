/** What the console marks as different in a rehearsed turn, and what its form sends. */
import assert from 'node:assert/strict';
import {
  differingCalls,
  differingPlaces,
  differsUnseen,
  differingTexts,
} from '../../src/console/pages/rehearsals/differences.ts';
import {
  newRule,
  problemsOf,
  rehearsalBody,
  rehearsalValues,
} from '../../src/console/pages/rehearsals/rehearsal-values.ts';
import { startRehearsal } from '../../src/contract/rehearsals/rehearsals.ts';

describe('Rehearsals in the console, without a browser', () => {
  it('mark the words between the common beginning and the common end of two texts', () => {
    const marked = (one: string, other: string) =>
      differingTexts(one, other).map(({ start, differs, end }) => [start, differs, end]);
    assert.deepEqual(marked('How can I help you today?', 'How may I help you today?'), [
      ['How ', 'can', ' I help you today?'],
      ['How ', 'may', ' I help you today?'],
    ]);
    assert.deepEqual(marked('a a', 'a a a'), [
      ['a a', '', ''],
      ['a a', ' a', ''],
    ]);
    assert.deepEqual(marked('', 'new'), [
      ['', '', ''],
      ['', 'new', ''],
    ]);
    for (const [one, other] of [
      ['  x\ny ', 'x y'],
      ['same', 'same'],
    ] as const)
      assert.deepEqual(
        marked(one, other).map((parts) => parts.join('')),
        [one, other],
      );
  });

  it('mark the words that differ in the text that is shown, and not in its Markdown', () => {
    assert.deepEqual(differingPlaces('It takes **three** days.', 'It takes four days.'), [
      [9, 14],
      [9, 13],
    ]);
    assert.deepEqual(differingPlaces('**Same**', 'Same'), [
      [4, 4],
      [4, 4],
    ]);
  });

  it('are shown as they were written if they differ in a link’s address, or in marks alone', () => {
    for (const [one, other] of [
      ['[pay](https://a.example)', '[pay](https://b.example)'],
      ['Now: [pay](https://a.example)', 'Please [pay](https://b.example)'],
      ['**Same**', 'Same'],
    ] as const)
      assert.equal(differsUnseen(one, other), true, one);
    assert.equal(differsUnseen('**Three** days', '**Four** days'), false);
    assert.equal(differsUnseen('Same', 'Same'), false);
  });

  it('mark the calls that the other turn has not made, whatever the order of keys', () => {
    const call = (name: string, given: object) => ({ name, arguments: { ...given } });
    const was = [call('find', { a: 1, b: { c: 2, d: 3 } }), call('pay', { n: 1 }), call('pay', { n: 1 })];
    const is = [call('pay', { n: 1 }), call('find', { b: { d: 3, c: 2 }, a: 1 }), call('pay', { n: 2 })];
    assert.deepEqual(differingCalls(was, is), [false, false, true]);
    assert.deepEqual(differingCalls(is, was), [false, false, true]);
    assert.deepEqual(differingCalls([], was), []);
  });

  it('send what the API takes, and name what is missing', () => {
    const empty = rehearsalValues('published');
    const sent = (values: typeof empty): unknown => JSON.parse(JSON.stringify(rehearsalBody(values)));
    assert.deepEqual(startRehearsal.parse(sent(empty)), {
      ...{ source: 'recent', run_read_only_tools: false, accepts: ['same', 'other_text'], rules: [] },
    });
    const full = {
      ...rehearsalValues('3'),
      ...{ model: ' openai/gpt-5-mini ', max_turns: 20, judge: { model: 'a/b', criterion: 'Short?' } },
      rules: [
        { ...newRule(), text: 'thanks' },
        { ...newRule(), kind: 'max_chars' as const, max: 300 },
        { ...newRule(), kind: 'json_schema' as const, schema: '{"type":"object"}' },
      ],
    };
    assert.deepEqual(problemsOf(full), {});
    const { version, model, max_turns, rules, judge } = startRehearsal.parse(sent(full));
    assert.deepEqual([version, model, max_turns], [3, 'openai/gpt-5-mini', 20]);
    assert.deepEqual(rules, [
      { kind: 'contains', text: 'thanks' },
      { kind: 'max_chars', max: 300 },
      { kind: 'json_schema', schema: { type: 'object' } },
    ]);
    assert.deepEqual(judge, { model: 'a/b', criterion: 'Short?' });
    const problems = problemsOf({
      ...empty,
      ...{ max_turns: 1.5, judge: { model: 'a/b', criterion: ' ' } },
      rules: [newRule(), { ...newRule(), kind: 'json_schema', schema: '[1]' }],
    });
    assert.deepEqual(Object.keys(problems).sort(), [
      'judge.criterion',
      'max_turns',
      'rules.0.text',
      'rules.1.schema',
    ]);
  });
});
