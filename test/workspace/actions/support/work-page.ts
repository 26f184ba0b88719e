/** A fresh page "Work" for each test, and what is on it. */
import { Harness } from './workspace-harness.ts';

export type Results = { id: string; type: string }[];

export const text = (content: string) => [{ type: 'text', text: { content } }];

export const paragraph = (content: string, children?: object[]) => ({
  object: 'block',
  type: 'paragraph',
  paragraph: { rich_text: text(content), ...(children ? { children } : {}) },
});

export class WorkPage {
  harness!: Harness;
  id = '';

  /** Registers the hooks of the surrounding describe. */
  static each(): WorkPage {
    const page = new WorkPage();
    before(async () => {
      page.harness = await Harness.start();
    });
    after(() => page.harness.emulator.stop());
    beforeEach(async () => {
      page.harness.emulator.reset();
      const made = await page.harness.ok('DOCS_CREATE_DOCS_PAGE', {
        title: 'Work',
        parent_id: page.harness.emulator.ids.home,
      });
      page.id = made['id'] as string;
    });
    return page;
  }

  outline(): string[] {
    return this.harness.emulator.outline(this.id);
  }

  add(content_blocks: unknown, more: object = {}): Promise<Record<string, unknown>> {
    return this.harness.ok('DOCS_ADD_MULTIPLE_PAGE_CONTENT', {
      parent_block_id: this.id,
      content_blocks,
      ...more,
    });
  }
}
