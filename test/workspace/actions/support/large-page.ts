/** A page of a thousand blocks, replaced, fetched whole and turned into markdown: how many requests that takes. */
import { Harness } from './workspace-harness.ts';

export interface RequestCount {
  step: string;
  request: string;
  made: number;
  /** The best that the limits of the API allow. */
  least: number;
}

const size = 1000;
const perRequest = 100;
const batches = size / perRequest;
/** Every fiftieth is a toggle with a block inside: the recursive fetch must open it. */
const every = 50;

const blocks = (word: string) =>
  Array.from({ length: size }, (_, index) =>
    index % every === 0
      ? {
          type: 'toggle',
          toggle: {
            rich_text: [{ text: { content: `${word} ${index}` } }],
            children: [{ type: 'paragraph', paragraph: { rich_text: [{ text: { content: 'inside' } }] } }],
          },
        }
      : { content: `${word} ${index}` },
  );

export async function countLargePage(): Promise<{ counts: RequestCount[]; lines: number; fetched: number }> {
  const harness = await Harness.start();
  const { emulator } = harness;
  try {
    const made = await harness.ok('DOCS_CREATE_DOCS_PAGE', { title: 'Large', parent_id: emulator.ids.home });
    const id = String(made['id']);
    const counts: RequestCount[] = [];
    const counted = (step: string, wanted: readonly (readonly [string, string | RegExp, number])[]) => {
      for (const [method, path, least] of wanted)
        counts.push({
          step,
          request: `${method} ${String(path)}`,
          made: emulator.count(method, path),
          least,
        });
      const known = wanted.reduce((sum, [method, path]) => sum + emulator.count(method, path), 0);
      counts.push({ step, request: 'anything else', made: emulator.requests.length - known, least: 0 });
      emulator.requests.length = 0;
    };
    const children = /^\/v1\/blocks\/[^/]+\/children$/;
    const page = `/v1/pages/${id}`;
    emulator.requests.length = 0;
    await harness.ok('DOCS_REPLACE_PAGE_CONTENT', { page_id: id, new_children: blocks('old') });
    counted('fill an empty page', [
      ['GET', page, 1],
      ['GET', children, 1],
      ['PATCH', children, batches],
    ]);
    await harness.ok('DOCS_REPLACE_PAGE_CONTENT', { page_id: id, new_children: blocks('new') });
    counted('replace its 1,000 blocks by 1,000 others', [
      ['GET', page, 1],
      ['GET', children, batches],
      ['PATCH', children, batches],
      // The API archives one block a request.
      ['DELETE', /^\/v1\/blocks\/[^/]+$/, size],
    ]);
    const tree = await harness.ok('DOCS_FETCH_ALL_BLOCK_CONTENTS', { block_id: id, recursive: true });
    counted('fetch all, recursively', [['GET', children, batches + size / every]]);
    const markdown = await harness.ok('DOCS_GET_PAGE_MARKDOWN', { page_id: id });
    counted('convert to markdown', [['GET', `${page}/markdown`, 1]]);
    return {
      counts,
      lines: String(markdown['markdown'])
        .split('\n')
        .filter((line) => /new \d+/.test(line)).length,
      fetched: Number(tree['count']),
    };
  } finally {
    await emulator.stop();
  }
}
