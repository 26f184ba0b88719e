/** Actions of many writes: a fault at each of them in turn leaves what an undisturbed run leaves. */
import assert from 'node:assert/strict';
import { DyingLog } from './support/dying-log.ts';
import { Harness } from './support/workspace-harness.ts';

const toggle = (words: string, children: object[]) => ({
  type: 'toggle',
  toggle: { rich_text: [{ text: { content: words } }], children },
});
/** Deeper than one request takes. */
const deep = toggle('1', [toggle('2', [toggle('3', [toggle('4', [])])])]);
const lines = (count: number) => Array.from({ length: count }, (_, at) => ({ content: `line ${at}` }));
const creates = ({ method, path }: { method: string; path: string }) =>
  (method === 'POST' && path === '/v1/pages') || (method === 'PATCH' && path.endsWith('/children'));

describe('An action of many writes that meets a fault at one of them', () => {
  let harness: Harness;
  let start: ReturnType<Harness['emulator']['snapshot']>;
  let page: string;
  let home: string;
  let database: string;

  before(async () => {
    harness = await Harness.start();
    home = harness.emulator.ids.home;
    const create = async (title: string) =>
      String((await harness.ok('DOCS_CREATE_DOCS_PAGE', { title, parent_id: home }))['id']);
    page = await create('Page');
    database = String((await harness.ok('DOCS_CREATE_DATABASE', { title: 'Rows', parent_id: home }))['id']);
    await harness.ok('DOCS_REPLACE_PAGE_CONTENT', { page_id: page, new_children: [...lines(120), deep] });
    start = harness.emulator.snapshot();
  });
  after(() => harness.emulator.stop());
  const anew = () => {
    harness.emulator.restore(start);
    harness.emulator.faults.clear();
    harness.emulator.requests.length = 0;
  };

  const firstChild = () => {
    const found = start.entities.get(page);
    return found?.kind === 'page' ? found.children[0] : undefined;
  };
  /** The pages that live, by title, with their blocks in order. */
  const standing = () =>
    [...harness.emulator.snapshot().entities.values()]
      .flatMap((one) =>
        one.kind === 'page' && !one.inTrash
          ? [`${JSON.stringify(one.values['title'])}\n${harness.emulator.outline(one.id).join('\n')}`]
          : [],
      )
      .sort();

  const inputs: Record<string, () => [action: string, input: object]> = {
    'replace with a backup': () => [
      'DOCS_REPLACE_PAGE_CONTENT',
      {
        ...{ page_id: page, create_backup: true, backup_parent: { page_id: home } },
        new_children: [...lines(101), deep],
      },
    ],
    duplicate: () => ['DOCS_DUPLICATE_PAGE', { page_id: page, parent_id: home }],
    'a table of 230 rows': () => [
      'DOCS_APPEND_TABLE_BLOCKS',
      { block_id: page, tables: [{ rows: Array.from({ length: 230 }, (_, at) => ({ cells: [`${at}`] })) }] },
    ],
    'a row with a long body': () => [
      'DOCS_INSERT_ROW_DATABASE',
      {
        database_id: database,
        properties: [{ name: 'Name', type: 'title', value: 'Row' }],
        child_blocks: lines(120),
      },
    ],
    'blocks in the middle of a page': () => [
      'DOCS_APPEND_BLOCK_CHILDREN',
      {
        ...{ block_id: page, auto_split: true, after: firstChild() },
        children: lines(120).map(({ content }) => ({
          type: 'paragraph',
          paragraph: { rich_text: [{ text: { content } }] },
        })),
      },
    ],
  };

  for (const [title, given] of Object.entries(inputs)) {
    it(`${title}: the answer of each write is lost in turn, or its worker dies, and nothing is there twice`, async () => {
      anew();
      const [action, input] = given();
      await harness.ok(action, input);
      const wanted = standing();
      const writes = harness.emulator.requests.filter(creates).length;
      assert.ok(writes > 1, String(writes));
      for (let at = 0; at < writes; at += 1) {
        anew();
        let seen = 0;
        for (const rule of [
          { method: 'POST', path: '/v1/pages' },
          { method: 'PATCH', path: /\/children$/ },
        ])
          harness.emulator.faults.add({
            ...rule,
            times: 1000,
            body: () => seen++ === at,
            fault: { kind: 'lost-answer' },
          });
        await harness.ok(action, input);
        assert.deepEqual(standing(), wanted, `lost answer at write ${at}`);
        anew();
        const steps = new DyingLog(at);
        await assert.rejects(harness.run(action, input, { steps }), /killed/);
        steps.dying = false;
        await harness.ok(action, input, { steps });
        assert.deepEqual(standing(), wanted, `killed at write ${at}`);
      }
    });
  }
});
