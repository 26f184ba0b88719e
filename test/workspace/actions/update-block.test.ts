import assert from 'node:assert/strict';
import { type Results, WorkPage } from './support/work-page.ts';

describe('updating a block', () => {
  const page = WorkPage.each();

  describe('DOCS_UPDATE_BLOCK', () => {
    const only = async (block: object) => ((await page.add([block]))['results'] as Results)[0]?.id;

    it('replaces the text, finding the type with one request, and keeps what it does not name', async () => {
      const block = await only({ content: 'old', block_property: 'to_do', checked: true });
      const before = page.harness.emulator.requests.length;
      const result = await page.harness.ok('DOCS_UPDATE_BLOCK', {
        block_id: block?.replaceAll('-', ''),
        content: 'new **x**',
      });
      assert.equal((result['to_do'] as { checked: boolean }).checked, true);
      assert.equal(page.harness.emulator.requests.length, before + 2);
      assert.deepEqual(page.outline(), ['to_do: new x']);
      await page.harness.ok('DOCS_UPDATE_BLOCK', {
        block_id: block,
        content: 'n',
        block_type: 'to_do',
        additional_properties: { checked: false, color: 'red', icon: null },
      });
      const after = await page.harness.ok('DOCS_FETCH_BLOCK_METADATA', { block_id: block });
      assert.deepEqual(after['to_do'], {
        rich_text: [{ type: 'text', text: { content: 'n' } }],
        checked: false,
        color: 'red',
      });
    });

    it('needs the language of code, and takes its aliases', async () => {
      const block = await only({ content: 'a', block_property: 'code', language: 'python' });
      assert.match(
        await page.harness.fails('DOCS_UPDATE_BLOCK', { block_id: block, content: 'x', block_type: 'code' }),
        /language is required when block_type is code/,
      );
      const result = await page.harness.ok('DOCS_UPDATE_BLOCK', {
        block_id: block,
        content: 'x',
        block_type: 'code',
        language: 'ts',
      });
      assert.equal((result['code'] as { language: string }).language, 'typescript');
    });

    it('refuses over 2000 characters, archiving, another type, and blocks without text', async () => {
      const block = await only({ content: 'a' });
      assert.match(
        await page.harness.fails('DOCS_UPDATE_BLOCK', { block_id: block, content: 'x'.repeat(2001) }),
        /content: is longer than 2000 characters/,
      );
      assert.match(
        await page.harness.fails('DOCS_UPDATE_BLOCK', {
          block_id: block,
          content: 'x',
          additional_properties: { archived: true },
        }),
        /use DOCS_DELETE_BLOCK/,
      );
      assert.match(
        await page.harness.fails('DOCS_UPDATE_BLOCK', {
          block_id: block,
          content: 'x',
          block_type: 'heading_1',
        }),
        /VALIDATION_ERROR \(HTTP 400\)/,
      );
      const divider = await only({ block_property: 'divider' });
      assert.match(
        await page.harness.fails('DOCS_UPDATE_BLOCK', { block_id: divider, content: 'x' }),
        /a divider block has no text to replace/,
      );
    });
  });
});
