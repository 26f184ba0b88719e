/** The writes that hold rich text, each with its answer lost: how often the workspace was asked to write. */
import type { Harness } from './workspace-harness.ts';

const children = /^\/v1\/blocks\/[^/]+\/children$/;

type Way = {
  action: string;
  write: { method: string; path: RegExp };
  input: (items: readonly unknown[], place: Place) => object;
};
export type Place = { pageId: string; databaseId: string };

export const ways: Readonly<Record<string, Way>> = {
  append: {
    action: 'DOCS_APPEND_TEXT_BLOCKS',
    write: { method: 'PATCH', path: children },
    input: (items, { pageId }) => ({
      block_id: pageId,
      auto_split: true,
      children: [{ type: 'paragraph', paragraph: { rich_text: items } }],
    }),
  },
  comment: {
    action: 'DOCS_CREATE_COMMENT',
    write: { method: 'POST', path: /^\/v1\/comments$/ },
    input: (items, { pageId }) => ({ comment: { content: items }, parent_page_id: pageId }),
  },
  row: {
    action: 'DOCS_INSERT_ROW_DATABASE',
    write: { method: 'POST', path: /^\/v1\/pages$/ },
    input: (items, { databaseId }) => ({
      database_id: databaseId,
      properties: [{ name: 'Name', type: 'title', value: items }],
    }),
  },
  'page content': {
    action: 'DOCS_REPLACE_PAGE_CONTENT',
    write: { method: 'PATCH', path: children },
    input: (items, { pageId }) => ({
      page_id: pageId,
      new_children: [{ content: 'before' }, { type: 'to_do', to_do: { rich_text: items } }],
    }),
  },
};

export async function placeOf(harness: Harness): Promise<Place> {
  const { home } = harness.emulator.ids;
  const page = await harness.ok('DOCS_CREATE_DOCS_PAGE', { title: 'Work', parent_id: home });
  const database = await harness.ok('DOCS_CREATE_DATABASE', { title: 'Rows', parent_id: home });
  return { pageId: String(page['id']), databaseId: String(database['id']) };
}

/** @returns the mistake; undefined if it was written once and the result shows that */
export async function lostAnswer(
  harness: Harness,
  place: Place,
  { action, write, input }: Way,
  items: readonly unknown[],
): Promise<string | undefined> {
  const { emulator } = harness;
  emulator.faults.clear();
  const armed = emulator.faults.add({ ...write, fault: { kind: 'lost-answer' } });
  emulator.requests.length = 0;
  const { successful, error } = await harness.run(action, input(items, place));
  if (armed.hits === 0) return `nothing was sent: ${error ?? ''}`;
  const sent = emulator.count(write.method, write.path);
  if (sent !== 1) return `written ${sent} times`;
  return successful ? undefined : (error ?? 'failed');
}
