import assert from 'node:assert/strict';
import { maxPieces } from '../../../src/workspace/blocks/pieces.ts';
import { paragraph, text, WorkPage } from './support/work-page.ts';

describe('Content that makes very many blocks', () => {
  const page = WorkPage.each();
  const add = (content: string) =>
    ['DOCS_ADD_MULTIPLE_PAGE_CONTENT', { content_blocks: [{ content }] }] as const;
  // A list item is a block and a text.
  const half = maxPieces / 2;
  const row = (cells: number) => `|${' a |'.repeat(cells)}\n`;

  for (const [situation, [action, input]] of [
    ['a list', add('- a\n'.repeat(half + 1))],
    ['paragraphs', add('a\n\n- b\n\n'.repeat(half / 2 + 1))],
    ['changes of style in one paragraph', add('**a** b '.repeat(half + 1))],
    ['a table', add(row(10).repeat(maxPieces / 10))],
    ['empty cells of one row', add(`|${' |'.repeat(maxPieces + 1)}\n|-|\n`)],
    [
      'items that are below the limit each',
      [
        'DOCS_ADD_MULTIPLE_PAGE_CONTENT',
        { content_blocks: Array(3).fill({ content: '- a\n'.repeat(half - 1) }) },
      ],
    ],
    [
      'nested full blocks',
      [
        'DOCS_APPEND_BLOCK_CHILDREN',
        {
          auto_split: true,
          children: Array(3).fill(paragraph('a', Array<object>(half).fill(paragraph('b')))),
        },
      ],
    ],
    [
      'runs of text in full blocks',
      [
        'DOCS_APPEND_BLOCK_CHILDREN',
        {
          auto_split: true,
          children: Array(3).fill({
            type: 'paragraph',
            paragraph: { rich_text: Array(half - 1).fill(text('a')[0]) },
          }),
        },
      ],
    ],
  ] as const) {
    it(`is refused before anything is sent: ${situation}`, async () => {
      const { emulator } = page.harness;
      const sent = emulator.requests.length;
      const target =
        action === 'DOCS_APPEND_BLOCK_CHILDREN' ? { block_id: page.id } : { parent_block_id: page.id };
      assert.equal(
        await page.harness.fails(action, { ...target, ...input }),
        'INVALID_INPUT: the content makes over 20000 blocks, table cells and runs of text with one style; send it in several calls.',
      );
      assert.deepEqual(
        emulator.requests.slice(sent).filter(({ method }) => method !== 'GET'),
        [],
      );
    });
  }

  it('is refused as the Markdown of a new page too', async () => {
    const { emulator } = page.harness;
    const markdown = '- a\n'.repeat(half * 3);
    const pages = emulator.count('POST', '/v1/pages');
    assert.match(
      await page.harness.fails('DOCS_CREATE_DOCS_PAGE', { title: 'x', parent_id: page.id, markdown }),
      /^INVALID_INPUT: the content makes over 20000 blocks/,
    );
    assert.equal(emulator.count('POST', '/v1/pages'), pages);
  });

  it('is appended whole if it is just below the limit', async () => {
    await page.add([{ content: '- a\n'.repeat(half - 1) }]);
    assert.equal(page.outline().length, half - 1);
  });
});
