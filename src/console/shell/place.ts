/**
 * Media query for screens wide enough to show the list of conversations beside the open one. console.css uses the
 * same width.
 */
export const besideList = '(min-width: 1001px)';

const withParts = ['/conversations', '/deliveries'];

/** Returns the path of the page. An open conversation or delivery has the path of its list: both are one page. */
export function pageOf(path: string): string {
  return withParts.find((page) => path.startsWith(`${page}/`)) ?? path;
}
