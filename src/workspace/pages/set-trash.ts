/** Moves a page to or from the trash. A page already in the wanted state is a success. */
import { WorkspaceRefused } from '../client/failures.ts';
import type { PageAnswer } from '../client/answers.ts';
import type { JsonObject } from '../../contract/workspace/actions.ts';
import type { RunContext } from '../context.ts';
import { expectKind } from '../wrong-kind.ts';

const isTrashed = (page: PageAnswer): boolean => page.in_trash ?? page.archived ?? false;

/** @param trash the wanted state, if the update changes nothing else */
export async function setTrash(
  context: RunContext,
  pageId: string,
  body: JsonObject,
  trash?: boolean,
): Promise<PageAnswer> {
  return expectKind(context.docs, 'page', pageId, async () => {
    try {
      return await context.docs.updatePage(pageId, body);
    } catch (error) {
      const settled =
        trash !== undefined &&
        error instanceof WorkspaceRefused &&
        error.status === 400 &&
        /archived|trash/i.test(error.message);
      if (!settled) throw error;
      const page = await context.docs.retrievePage(pageId);
      if (isTrashed(page) !== trash) throw error;
      return page;
    }
  });
}
