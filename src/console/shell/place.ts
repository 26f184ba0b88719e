/**
 * Media query for screens that are wide enough to show the list of conversations beside the open conversation.
 * console.css contains the same width.
 */
export const besideList = '(min-width: 1001px)';

const withParts = ['/conversations', '/deliveries'];

/** @returns the path of the page; for an open conversation or delivery, the path of its list, which is the same page */
export function pageOf(path: string): string {
  return withParts.find((page) => path.startsWith(`${page}/`)) ?? path;
}
