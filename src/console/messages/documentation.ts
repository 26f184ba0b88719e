/**
 * Interface texts of the documentation and the API reference, such as labels and search messages. The content of the
 * pages is in the Markdown files that `pageFiles` lists (see page-menu.ts).
 */
export const documentationTexts = {
  product: 'Parley',
  skip: 'Skip to content',
  documentation: 'Documentation',
  reference: 'API reference',
  console: 'Console',
  places: 'Places',
  menu: 'Menu',
  pages: 'Pages',
  onThisPage: 'On this page',
  linkTo: (heading: string) => `Link to “${heading}”`,
  table: (heading: string) => `Table: ${heading}`,
  code: (heading: string) => `Code: ${heading}`,
  inRepository: (file: string) => `In the repository: ${file}`,
  copy: 'Copy',
  copied: 'Copied',
  notCopied: 'Select the text and press Ctrl+C (⌘C on a Mac).',
  search: 'Search the documentation',
  searchKeys: 'Ctrl K',
  found: 'Search results',
  foundCount: (count: number, isAll: boolean) => {
    if (count === 0) return 'Nothing found. Try fewer or other words.';
    if (!isAll) return `The best ${count} results`;
    return count === 1 ? '1 result' : `${count} results`;
  },
  noIndex: 'The search could not be loaded. Check your connection and type again.',
  notFound: 'Page not found',
  notFoundText: 'The documentation has no page at this address. Choose one from the menu, or',
  toStart: 'go to the list of all pages',
  needsScript: 'The API reference needs JavaScript. The same operations are in',
  document: 'the OpenAPI document',
  noDocument:
    'The OpenAPI document could not be loaded. Check your connection, and reload the page. If this happens again, look for the error in the log of the API.',
} as const;
