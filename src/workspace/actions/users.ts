/** The actions that read users. */
import { z } from 'zod';
import { paging } from '../../contract/workspace/actions.ts';
import { readWorkspaceId } from '../../contract/workspace/workspace-id.ts';
import { listResult } from '../compact.ts';
import { defineAction } from '../define-action.ts';
import { boundedText } from '../inputs.ts';

export const listUsers = defineAction({
  id: 'DOCS_LIST_USERS',
  summary:
    'Lists the people and bots of the workspace, without guests. A page may hold fewer than page_size.',
  effect: 'read',
  input: z.strictObject(paging),
  example: { page_size: 50 },
  run: async ({ docs }, page) => listResult(await docs.listUsers(page)),
});

export const getAboutUser = defineAction({
  id: 'DOCS_GET_ABOUT_USER',
  summary: 'Reads one user.',
  effect: 'read',
  input: z.strictObject({
    user_id: boundedText.name
      .overwrite((text) => readWorkspaceId(text) ?? text.trim())
      .refine((text) => text === 'me' || readWorkspaceId(text) !== undefined, {
        error: 'is not a UUID: DOCS_LIST_USERS lists the ids; "me" is the connection itself',
      })
      .describe('The user; "me" is the bot of this connection.'),
  }),
  example: { user_id: '4f0c8b7e-6b2a-4a52-9f41-0d1f4c3b2a10' },
  run: ({ docs }, { user_id }) => (user_id === 'me' ? docs.retrieveSelf() : docs.retrieveUser(user_id)),
});

export const getAboutMe = defineAction({
  id: 'DOCS_GET_ABOUT_ME',
  summary: 'Reads the bot user of the current integration token.',
  effect: 'read',
  input: z.strictObject({}),
  example: {},
  deprecated: { use: 'DOCS_GET_ABOUT_USER' },
  run: ({ docs }) => docs.retrieveSelf(),
});
