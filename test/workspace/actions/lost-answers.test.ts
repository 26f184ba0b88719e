/** Rich text of every kind, written with the answer lost: what the workspace shows of it differs from what was sent. */
import assert from 'node:assert/strict';
import { lostAnswer, placeOf, ways, type Place } from './support/lost-answers.ts';
import { Harness, MemoryStepLog, type RunOptions } from './support/workspace-harness.ts';

const text = (content: string, more: object = {}) => ({ type: 'text', text: { content }, ...more });
const mention = (type: string, value: object, more: object = {}) => ({
  type: 'mention',
  mention: { type, [type]: value },
  ...more,
});

describe('Rich text whose answer is lost', () => {
  let harness: Harness;
  let place: Place;
  before(async () => {
    harness = await Harness.start();
    place = await placeOf(harness);
  });
  after(() => harness.emulator.stop());

  const kinds = (): Record<string, unknown[]> => {
    const { home, person } = harness.emulator.ids;
    const user = mention('user', { id: person });
    return {
      'one run': [text('plain')],
      'runs of several styles': [
        text('bold', { annotations: { bold: true } }),
        text(' and '),
        text('red', { annotations: { color: 'red' } }),
      ],
      'runs of one style, which the workspace may join': [text('one '), text('text '), text('in three')],
      'a link': [
        text('a '),
        { type: 'text', text: { content: 'link', link: { url: 'https://example.com/' } } },
      ],
      'an equation': [text('so '), { type: 'equation', equation: { expression: 'e = mc^2' } }],
      'a person': [text('ask '), user, text(' today')],
      'a person, as it was read': [
        text('ask ', { plain_text: 'ask ', href: null }),
        mention('user', { object: 'user', id: person, name: 'Ada' }, { plain_text: '@Ada', href: null }),
      ],
      'a page': [text('see '), mention('page', { id: home })],
      'a database': [mention('database', { id: place.databaseId }), text(' has it')],
      'a date': [text('due '), mention('date', { start: '2026-05-01' })],
      'a span of dates': [text('due '), mention('date', { start: '2026-05-01', end: '2026-05-03' })],
      'today, of a template': [
        text('on '),
        mention('template_mention', { type: 'template_mention_date', template_mention_date: 'today' }),
      ],
      'an emoji of the workspace': [text('well '), mention('custom_emoji', { id: home, name: 'done' })],
      'a link shown as a card': [
        mention(
          'link_mention',
          { href: 'https://example.com/', title: 'Example' },
          { plain_text: 'Example' },
        ),
      ],
      'a preview': [mention('link_preview', { url: 'https://example.com/' })],
      'mentions and nothing else': [user, mention('page', { id: home })],
      'more runs than a list of rows shows': Array.from({ length: 40 }, (_, at) =>
        at % 2 === 0 ? text(`${at} `, { annotations: { bold: true } }) : user,
      ),
      'words of more than one request': [text('x'.repeat(4500))],
      'spaces, line ends, composed and lone characters': [
        text(' a  b\r\n\tc\u00a0 '),
        text('e\u0301 👩‍👩‍👧 '),
        text('\ud83d'),
      ],
    };
  };

  for (const [title, way] of Object.entries(ways)) {
    it(`${title}: written once, whatever its content`, async () => {
      const wrong: string[] = [];
      for (const [kind, items] of Object.entries(kinds())) {
        const problem = await lostAnswer(harness, place, way, items);
        if (problem !== undefined) wrong.push(`${kind}: ${problem}`);
      }
      assert.deepEqual(wrong, []);
    });
  }

  it('a page whose title comes from a heading with a mention: made once', async () => {
    const { home, person } = harness.emulator.ids;
    const way = {
      action: 'DOCS_CREATE_DOCS_PAGE',
      write: { method: 'POST', path: /^\/v1\/pages$/ },
      input: () => ({
        title: '',
        parent_id: home,
        markdown: `# Notes of <mention-user id="${person}"/> for May\n\nText`,
      }),
    };
    assert.equal(await lostAnswer(harness, place, way, []), undefined);
  });

  it('a block of somebody else, of the same type, is not taken for the one that was not written', async () => {
    const equation = (expression: string) => ({ type: 'equation', equation: { expression } });
    const path = /\/children$/;
    harness.emulator.faults.clear();
    harness.emulator.faults.add({ method: 'PATCH', path, fault: { kind: 'reset' } });
    const steps = new MemoryStepLog();
    const input = { block_id: place.pageId, children: [equation('a = b')] };
    const append = (more: RunOptions) => harness.run('DOCS_APPEND_CODE_BLOCKS', input, { steps, ...more });
    await assert.rejects(append({ attempts: 1, lastAttempt: false }));
    await harness.workspace().appendChildren(place.pageId, [equation('c = d')]);
    assert.ok((await append({})).successful);
    const { results } = await harness.workspace().listChildren(place.pageId, {});
    assert.deepEqual(
      results.slice(-2).map((block) => (block['equation'] as { expression: string }).expression),
      ['c = d', 'a = b'],
    );
  });
});
