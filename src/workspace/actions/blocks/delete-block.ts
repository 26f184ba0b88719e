import { z } from 'zod';
import { WorkspaceRefused } from '../../client/failures.ts';
import { workspaceId } from '../../../contract/workspace/actions.ts';
import { defineAction } from '../../define-action.ts';

/** The block itself is in the trash, not only a block above it. */
const isTrashedItself = (error: unknown): boolean =>
  error instanceof WorkspaceRefused && error.status === 400 && /block that is archived/i.test(error.message);

export const deleteBlock = defineAction({
  id: 'DOCS_DELETE_BLOCK',
  summary:
    'Archives a block, page or database. Fails when a parent or ancestor is archived; workspace-level pages cannot be archived.',
  effect: 'idempotent_write',
  input: z.strictObject({ block_id: workspaceId('Id of a block, page or database.') }),
  example: { block_id: '4f0c8b7e-6b2a-4a52-9f41-0d1f4c3b2a10' },
  run: async ({ docs, warn }, { block_id }) => {
    try {
      return await docs.deleteBlock(block_id);
    } catch (error) {
      if (!isTrashedItself(error)) throw error;
      const block = await docs.retrieveBlock(block_id);
      if (block.archived !== true && block.in_trash !== true) throw error;
      warn('The block was in the trash already.');
      return block;
    }
  },
});
