import assert from 'node:assert/strict';
import { type Results, WorkPage } from './support/work-page.ts';

describe('replacing content', () => {
  const page = WorkPage.each();

  describe('DOCS_REPLACE_PAGE_CONTENT', () => {
    beforeEach(async () => {
      await page.add(['old one', 'old two']);
      await page.harness.ok('DOCS_CREATE_DOCS_PAGE', { title: 'Child', parent_id: page.id });
    });

    it('dry_run reports what would happen and changes nothing', async () => {
      const before = page.outline();
      const result = await page.harness.ok('DOCS_REPLACE_PAGE_CONTENT', {
        page_id: page.id,
        new_children: Array.from({ length: 150 }, () => 'n'),
        dry_run: true,
      });
      assert.equal(result['would_archive_count'], 2);
      assert.equal((result['would_keep'] as Results).length, 1);
      assert.deepEqual(result['would_append'], { blocks: 150, top_level: 150, batches: 2 });
      assert.deepEqual(page.outline(), before);
    });

    it('appends the new, archives the old, keeps child pages and lists them', async () => {
      const result = await page.harness.ok('DOCS_REPLACE_PAGE_CONTENT', {
        page_id: page.id,
        new_children: [{ content: 'New', block_property: 'heading_1' }],
      });
      assert.equal(result['archived_count'], 2);
      assert.equal(result['kept_count'], 1);
      assert.deepEqual(page.outline(), ['child_page: Child', 'heading_1: New']);
    });

    it('archives child pages too when asked, and keeps all when archive_existing_children is false', async () => {
      await page.harness.ok('DOCS_REPLACE_PAGE_CONTENT', {
        page_id: page.id,
        new_children: ['added'],
        archive_existing_children: false,
      });
      assert.equal(page.outline().length, 4);
      await page.harness.ok('DOCS_REPLACE_PAGE_CONTENT', {
        page_id: page.id,
        new_children: ['only'],
        archive_child_pages: true,
      });
      assert.deepEqual(page.outline(), ['paragraph: only']);
    });

    it('copies the old content into a backup page first', async () => {
      const result = await page.harness.ok('DOCS_REPLACE_PAGE_CONTENT', {
        page_id: page.id,
        new_children: ['new'],
        create_backup: true,
        backup_title_suffix: ' (old)',
        backup_parent: { page_id: page.harness.emulator.ids.home },
      });
      const backup = result['backup_page_id'] as string;
      assert.deepEqual(page.harness.emulator.outline(backup), ['paragraph: old one', 'paragraph: old two']);
      const copy = await page.harness.ok('DOCS_GET_PAGE_PROPERTY_ACTION', {
        page_id: backup,
        property_id: 'title',
      });
      assert.match(JSON.stringify(copy['results']), /Work \(old\)/);
      assert.match(JSON.stringify(result['warnings']), /Not in the backup: child_page/);
    });

    it('refuses the page itself as backup parent, before anything is written', async () => {
      const before = page.outline();
      assert.match(
        await page.harness.fails('DOCS_REPLACE_PAGE_CONTENT', {
          page_id: page.id,
          new_children: ['new'],
          create_backup: true,
          backup_parent: { page_id: page.id },
        }),
        /backup_parent is the page itself/,
      );
      assert.match(
        await page.harness.fails('DOCS_REPLACE_PAGE_CONTENT', {
          page_id: page.harness.emulator.ids.home,
          new_children: ['new'],
          create_backup: true,
        }),
        /backup_parent must be .* required here/,
      );
      assert.deepEqual(page.outline(), before);
    });

    it('a fault on the way leaves old content in place and names what was added', async () => {
      page.harness.emulator.faults.add({
        method: 'DELETE',
        fault: { kind: 'error', status: 400, code: 'validation_error', message: 'No.' },
        times: 9,
      });
      const result = await page.harness.run('DOCS_REPLACE_PAGE_CONTENT', {
        page_id: page.id,
        new_children: ['new'],
      });
      assert.equal(result.successful, false);
      const partial = result.data['partial'] as { appended: string[]; archived: string[] };
      assert.equal(partial.appended.length, 1);
      assert.deepEqual(partial.archived, []);
      assert.deepEqual(page.outline(), [
        'paragraph: old one',
        'paragraph: old two',
        'child_page: Child',
        'paragraph: new',
      ]);
    });
  });
});
