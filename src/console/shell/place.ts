/** Screens that show the list of conversations beside the opened one. The same width is in console.css. */
export const besideList = '(min-width: 1001px)';

/** Returns the path of the page that a path belongs to: an opened conversation is a part of the inbox. */
export function pageOf(path: string): string {
  return path.startsWith('/conversations/') ? '/conversations' : path;
}
