import { z } from 'zod';
import { defineAction } from '../../define-action.ts';

export const getAboutMe = defineAction({
  id: 'DOCS_GET_ABOUT_ME',
  summary: 'Reads the bot user of the current integration token.',
  effect: 'read',
  input: z.strictObject({}),
  example: {},
  deprecated: { use: 'DOCS_GET_ABOUT_USER' },
  run: ({ docs }) => docs.retrieveSelf(),
});
