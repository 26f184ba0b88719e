import { z } from 'zod';
import { workspaceId } from '../../../contract/workspace/actions.ts';
import { defineAction } from '../../define-action.ts';

export const retrieveComment = defineAction({
  id: 'DOCS_RETRIEVE_COMMENT',
  summary: 'Reads one comment.',
  effect: 'read',
  input: z.strictObject({ comment_id: workspaceId('The comment.') }),
  example: { comment_id: '4f0c8b7e-6b2a-4a52-9f41-0d1f4c3b2a10' },
  run: ({ docs }, { comment_id }) => docs.retrieveComment(comment_id),
});
