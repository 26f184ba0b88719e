/** The service joins neighbouring runs of one style, so what is read may be longer than what may be sent. */
import assert from 'node:assert/strict';
import { paragraph, WorkPage, type Results } from './support/work-page.ts';

describe('A run of text that is longer than a request may send', () => {
  const page = WorkPage.each();
  const words = 'word '.repeat(900).trimEnd();
  const first = async (id: unknown) => {
    const { results } = await page.harness.ok('DOCS_FETCH_BLOCK_CONTENTS', { block_id: id });
    return (results as Results)[0] as unknown as {
      id: string;
      paragraph: { rich_text: { text: { content: string } }[] };
    };
  };

  it('is copied whole, with its page', async () => {
    await page.add([{ content: words }]);
    const { paragraph: read } = await first(page.id);
    assert.deepEqual(
      read.rich_text.map(({ text }) => text.content),
      [words],
    );
    const { id } = await page.harness.ok('DOCS_DUPLICATE_PAGE', {
      page_id: page.id,
      parent_id: page.harness.emulator.ids.home,
    });
    assert.deepEqual((await first(id)).paragraph.rich_text, read.rich_text);
  });

  it('is backed up and restored whole', async () => {
    await page.add([{ content: words }]);
    const { backup_page_id } = await page.harness.ok('DOCS_REPLACE_PAGE_CONTENT', {
      ...{ page_id: page.id, new_children: [{ content: 'New' }], create_backup: true },
    });
    const { rich_text } = (await first(backup_page_id)).paragraph;
    assert.equal(rich_text.map(({ text }) => text.content).join(''), words);
  });

  it('is refused with its length if a block is appended as it was read, and accepted with auto_split', async () => {
    await page.add([{ content: words }]);
    const block = await first(page.id);
    const append = {
      block_id: page.id,
      children: [{ ...block, ...paragraph(''), paragraph: block.paragraph }],
    };
    const error = await page.harness.fails('DOCS_APPEND_BLOCK_CHILDREN', append);
    assert.match(error, /rich_text\[0\]\.text\.content has 4499 characters; at most 2000 are allowed/);
    await page.harness.ok('DOCS_APPEND_BLOCK_CHILDREN', { ...append, auto_split: true });
    const { results } = await page.harness.ok('DOCS_FETCH_BLOCK_CONTENTS', { block_id: page.id });
    const shown = (results as (typeof block)[]).slice(1).flatMap((each) => each.paragraph.rich_text);
    assert.equal(shown.map(({ text }) => text.content).join(''), words);
  });
});
