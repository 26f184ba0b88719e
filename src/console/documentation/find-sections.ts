/** Finds the sections of the documentation that contain what a reader searches for. */

/** The text of all pages, as the build writes it. */
export interface SearchIndex {
  pages: readonly { address: string; title: string }[];
  /** `page` is the position of the section's page in `pages`; `anchor` is empty at the top of the page. */
  sections: readonly { page: number; heading: string; anchor: string; text: string }[];
}

export interface FoundSection {
  address: string;
  title: string;
  heading: string;
  excerpt: string;
}

const maxWords = 8;
const maxExcerptChars = 140;
/** Maximum characters of an excerpt before the first word that was found. Chosen. */
const charsBefore = 40;

/**
 * Returns the sections that contain each of the first `maxWords` words of the query in the heading, the text or the
 * page title. Ignores case, and also finds a word within longer words. The sections with the highest score (see
 * `scoreOf`) come first.
 * @param max maximum number of sections
 */
export function findSections(index: SearchIndex, query: string, max: number): FoundSection[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean).slice(0, maxWords);
  if (words.length === 0) return [];
  const found = index.sections.flatMap((section) => {
    const page = index.pages[section.page];
    if (page === undefined) return [];
    const score = scoreOf(words, [section.heading, page.title, section.text]);
    return score === 0 ? [] : [{ section, page, score }];
  });
  return found
    .sort((a, b) => b.score - a.score)
    .slice(0, max)
    .map(({ section, page }) => ({
      address: section.anchor === '' ? page.address : `${page.address}#${section.anchor}`,
      title: page.title,
      heading: section.heading,
      excerpt: excerptOf(section.text, words),
    }));
}

/**
 * Returns 0 if a word is in none of the texts. Otherwise returns a sum over the words: the heading counts more than the
 * title, and the title more than the text. A heading that is equal to the query adds 100.
 */
function scoreOf(
  words: readonly string[],
  texts: readonly [heading: string, title: string, text: string],
): number {
  const [heading = '', title = '', text = ''] = texts.map((one) => one.toLowerCase());
  let sum = 0;
  for (const word of words) {
    const score =
      (heading.includes(word) ? 10 : 0) + (title.includes(word) ? 3 : 0) + (text.includes(word) ? 1 : 0);
    if (score === 0) return 0;
    sum += score;
  }
  return heading === words.join(' ') ? sum + 100 : sum;
}

function excerptOf(text: string, words: readonly string[]): string {
  const lower = text.toLowerCase();
  const places = words.map((word) => lower.indexOf(word)).filter((place) => place >= 0);
  const start = Math.max(0, Math.min(...places, text.length) - charsBefore);
  const from = places.length === 0 ? 0 : start;
  const excerpt = text.slice(from, from + maxExcerptChars).trim();
  return `${from > 0 ? '…' : ''}${excerpt}${from + maxExcerptChars < text.length ? '…' : ''}`;
}
