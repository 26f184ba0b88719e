/** Serves a file of a conversation to anyone who has its link. No token is required, because the link is signed. */
import type { RequestHandler } from 'express';
import { z } from 'zod';
import { findFile } from '../../adapters/postgres/conversations/attachments.ts';
import { type Database } from '../../adapters/postgres/database.ts';
import { acrossOrganizations } from '../../adapters/postgres/organization-scope.ts';
import type { FileLinks } from '../../adapters/secrets/file-links.ts';
import { orNotFound, PublicError } from '../../contract/errors.ts';

/** A file's content type comes from its sender. It is used only if it matches this pattern. */
const plainType = /^[\w.+-]{1,100}\/[\w.+-]{1,100}$/;
const anyType = 'application/octet-stream';

const link = z.object({ id: z.uuid(), until: z.string(), signature: z.string().max(100) });

/** @returns the handler of file links; it throws not_found for a forged link, an expired link and a deleted file */
export function fileDownload({ db, fileLinks }: { db: Database; fileLinks: FileLinks }): RequestHandler {
  return async (request, response) => {
    const asked = link.safeParse(request.params);
    if (!asked.success || !fileLinks.allows(asked.data)) throw new PublicError('not_found');
    const file = orNotFound(await acrossOrganizations(() => findFile(db, asked.data.id)));
    // Prevents browsers from running scripts in the file, whatever its type.
    response.setHeader('Content-Security-Policy', "default-src 'none'; sandbox");
    response.setHeader('X-Content-Type-Options', 'nosniff');
    response.setHeader('Referrer-Policy', 'no-referrer');
    response.setHeader('Cache-Control', 'private, no-store');
    response.attachment(file.filename ?? 'file');
    response.setHeader(
      'Content-Type',
      plainType.test(file.content_type ?? '') ? (file.content_type ?? '') : anyType,
    );
    response.send(file.content);
  };
}
