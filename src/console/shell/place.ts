/**
 * Media query for screens that show the list of conversations beside the opened one. console.css has the same width.
 */
export const besideList = '(min-width: 1001px)';

const withParts = ['/conversations', '/deliveries'];

/** Returns the path of a page without the opened conversation or delivery, which is a part of the list's page. */
export function pageOf(path: string): string {
  return withParts.find((page) => path.startsWith(`${page}/`)) ?? path;
}
