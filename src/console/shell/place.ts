/**
 * Media query for screens that show the list of conversations beside the opened one. console.css has the same width.
 */
export const besideList = '(min-width: 1001px)';

const withParts = ['/conversations', '/deliveries'];

/** Returns the path of the page that a path belongs to: an opened conversation or delivery is a part of its list. */
export function pageOf(path: string): string {
  return withParts.find((page) => path.startsWith(`${page}/`)) ?? path;
}
