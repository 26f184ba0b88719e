/**
 * Media query for screens that are wide enough to show the list of conversations beside the open conversation.
 * styles/inbox.css contains the same width.
 */
export const besideList = '(min-width: 1001px)';

/** Pages with a list that stays in view while one of its items is open. */
export const listsInView: readonly string[] = ['/deliveries', '/requests'];
const withParts = ['/conversations', ...listsInView];

/** @returns the path of the page; for an open conversation, delivery or request, the path of its list, which is the same page */
export function pageOf(path: string): string {
  return withParts.find((page) => path.startsWith(`${page}/`)) ?? path;
}
