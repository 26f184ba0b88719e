import { z } from 'zod';
import { workspaceId } from '../../../contract/workspace/actions.ts';
import { defineAction } from '../../define-action.ts';

export const fetchBlockMetadata = defineAction({
  id: 'DOCS_FETCH_BLOCK_METADATA',
  summary: "Reads a block's type, properties and basic info, not its children.",
  effect: 'read',
  input: z.strictObject({ block_id: workspaceId('The block (32 characters, with or without hyphens).') }),
  example: { block_id: '4f0c8b7e-6b2a-4a52-9f41-0d1f4c3b2a10' },
  run: ({ docs }, { block_id }) => docs.retrieveBlock(block_id),
});
