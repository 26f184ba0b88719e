import { z } from 'zod';
import { maxText } from '../../../contract/workspace/actions.ts';
import { readWorkspaceId } from '../../../contract/workspace/workspace-id.ts';
import { defineAction } from '../../define-action.ts';

export const getAboutUser = defineAction({
  id: 'DOCS_GET_ABOUT_USER',
  summary: 'Reads one user.',
  effect: 'read',
  input: z.strictObject({
    user_id: z
      .string()
      .max(maxText.name)
      .overwrite((text) => readWorkspaceId(text) ?? text.trim())
      .refine((text) => text === 'me' || readWorkspaceId(text) !== undefined, {
        error: 'is not a UUID: DOCS_LIST_USERS lists the ids; "me" is the connection itself',
      })
      .describe('The user; "me" is the bot of this connection.'),
  }),
  example: { user_id: '4f0c8b7e-6b2a-4a52-9f41-0d1f4c3b2a10' },
  run: ({ docs }, { user_id }) => (user_id === 'me' ? docs.retrieveSelf() : docs.retrieveUser(user_id)),
});
