import { z } from 'zod';
import { workspaceId } from '../../../contract/workspace/actions.ts';
import { defineAction } from '../../define-action.ts';

export const retrieveFileUpload = defineAction({
  id: 'DOCS_RETRIEVE_FILE_UPLOAD',
  summary: 'Reads a file upload: pending, uploaded, expired or failed.',
  effect: 'read',
  input: z.strictObject({ file_upload_id: workspaceId('The upload (UUID).') }),
  example: { file_upload_id: '4f0c8b7e-6b2a-4a52-9f41-0d1f4c3b2a10' },
  run: ({ docs }, { file_upload_id }) => docs.retrieveFileUpload(file_upload_id),
});
