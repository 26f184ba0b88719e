/** Reads the direct children of a block or page. */
import type { BlockAnswer } from '../client/answers.ts';
import type { Workspace } from '../client/workspace.ts';

export type Children = { blocks: BlockAnswer[]; complete: boolean; nextCursor: string | null };

/** @param most maximum number of children to read; `complete` is false if there are more */
export async function readChildren(
  docs: Workspace,
  parentId: string,
  most = Infinity,
  pageSize = 100,
): Promise<Children> {
  const blocks: BlockAnswer[] = [];
  let cursor: string | undefined;
  for (;;) {
    const page = await docs.listChildren(parentId, { page_size: pageSize, start_cursor: cursor });
    blocks.push(...page.results);
    if (!page.has_more || page.next_cursor === null) return { blocks, complete: true, nextCursor: null };
    if (blocks.length >= most) return { blocks, complete: false, nextCursor: page.next_cursor };
    cursor = page.next_cursor;
  }
}
