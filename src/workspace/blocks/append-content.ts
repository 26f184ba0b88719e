/** Appends blocks and reports what was created: the common part of all content actions. */
import type { JsonObject } from '../../contract/workspace/actions.ts';
import type { RunContext } from '../context.ts';
import { expectKind } from '../wrong-kind.ts';
import { appendTree } from './append-tree.ts';
import type { Block } from './block.ts';

export async function appendContent(
  context: RunContext,
  options: { parentId: string; blocks: readonly Block[]; after?: string | undefined },
): Promise<JsonObject> {
  const { parentId, blocks, after } = options;
  const appended = await expectKind(context.docs, 'page', parentId, () =>
    appendTree(context, { parentId, blocks, after, step: 'append' }),
  );
  return {
    results: appended.created,
    count: appended.created.length,
    blocks_created: appended.blocks,
    requests: appended.requests,
    has_more: false,
    next_cursor: null,
  };
}
