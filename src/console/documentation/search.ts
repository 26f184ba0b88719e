/** The search field of the documentation. Loads the index when the field is first used. */
import { documentationTexts as t } from '../messages/documentation.ts';
import { findSections, type SearchIndex } from './find-sections.ts';

/** Maximum sections in the results. Chosen: to find others, the reader can add words to the query. */
const maxFound = 12;

/**
 * Adds the search to the page's field. Ctrl+K or ⌘K focuses the field, and the arrow keys focus the results. Escape
 * clears the field and closes the results.
 */
export function startSearch(): void {
  const area = document.querySelector<HTMLElement>('.search');
  const field = area?.querySelector('input');
  const list = area?.querySelector('ul');
  const count = area?.querySelector('p');
  if (!area || !field || !list || !count) return;
  let index: Promise<SearchIndex> | undefined;
  const load = async (): Promise<SearchIndex> => {
    index ??= loadIndex(area.dataset['index'] ?? '');
    try {
      return await index;
    } catch (error) {
      // Without this, all later calls would fail too, because they would await the same promise.
      index = undefined;
      throw error;
    }
  };
  const links = () => [...list.querySelectorAll('a')];
  const close = () => {
    list.hidden = true;
    list.replaceChildren();
    count.textContent = '';
  };
  const show = async (): Promise<void> => {
    const query = field.value.trim();
    if (query === '') {
      close();
      return;
    }
    try {
      const loaded = await load();
      // The user may have changed the query while the index was loading.
      if (field.value.trim() !== query) return;
      const found = findSections(loaded, query, maxFound + 1);
      const shown = found.slice(0, maxFound);
      list.replaceChildren(...shown.map(itemOf));
      list.hidden = shown.length === 0;
      count.textContent = t.foundCount(shown.length, found.length <= maxFound);
    } catch {
      close();
      count.textContent = t.noIndex;
    }
  };
  field.addEventListener('focus', () => {
    load().catch(() => undefined);
  });
  field.addEventListener('input', () => void show());
  area.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') {
      field.value = '';
      close();
      field.focus();
    } else if (event.key === 'Enter' && event.target === field) {
      void show().then(() => links()[0]?.click());
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      const all: HTMLElement[] = [field, ...links()];
      const at = all.findIndex((one) => one === document.activeElement);
      all[at + (event.key === 'ArrowDown' ? 1 : -1)]?.focus();
      event.preventDefault();
    }
  });
  area.addEventListener('click', ({ target }) => {
    // A result on the same page loads no new page, so the list would stay open.
    if (target instanceof Element && target.closest('a') !== null) close();
  });
  document.addEventListener('keydown', (event) => {
    if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    field.focus();
  });
}

/** @throws Error if the index cannot be loaded */
async function loadIndex(address: string): Promise<SearchIndex> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`The search index was answered with ${response.status}.`);
  // eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- the same build has written it
  return (await response.json()) as SearchIndex;
}

function itemOf(found: ReturnType<typeof findSections>[number]): HTMLElement {
  const link = document.createElement('a');
  link.href = found.address;
  for (const [className, text] of [
    ['found-heading', found.heading],
    ['found-page', found.heading === found.title ? '' : found.title],
    ['found-text', found.excerpt],
  ] as const) {
    if (text === '') continue;
    const line = document.createElement('span');
    line.className = className;
    line.textContent = text;
    link.append(line);
  }
  const item = document.createElement('li');
  item.append(link);
  return item;
}
