/** Every recorded block that can be created: read, cleaned, appended, read again. What comes back must be the same. */
import { isDeepStrictEqual } from 'node:util';
import { blockAnswer, type BlockAnswer } from '../../../../src/workspace/client/answers.ts';
import { copyBlocks } from '../../../../src/workspace/blocks/clean-block.ts';
import { creatableTypes, type Block } from '../../../../src/workspace/blocks/block.ts';
import { readTree, type TreeNode } from '../../../../src/workspace/blocks/read-tree.ts';
import type { Recording } from '../../../support/workspace/corpus/recording.ts';
import { recordedObjects, type RecordedObjects } from '../../../support/workspace/corpus/recorded-objects.ts';
import type { Json } from '../../../support/workspace/json.ts';
import { Harness } from '../support/workspace-harness.ts';

export interface RoundTrip {
  /** Distinct recorded blocks of creatable types. */
  blocks: number;
  same: number;
  byType: Map<string, number>;
  different: string[];
  /** Why a block could not be tried, and how many. */
  untried: Map<string, number>;
}

/** Pages, people and blocks that the recordings name are not in the emulator: one that is there stands for them. */
function withKnownIds(block: BlockAnswer, ids: { home: string; person: string }): BlockAnswer {
  const text = JSON.stringify(block, (key, value: Json) => {
    if (typeof value !== 'string') return value;
    if (['page_id', 'database_id', 'comment_id'].includes(key)) return ids.home;
    return value;
  });
  const parsed = JSON.parse(text) as Record<string, unknown>;
  return blockAnswer.parse(
    JSON.parse(
      JSON.stringify(parsed, (key, value: unknown) => {
        if (typeof value !== 'object' || value === null) return value;
        if (key === 'page' || key === 'database') return { ...value, id: ids.home };
        if (key === 'user') return { object: 'user', id: ids.person };
        return value;
      }),
    ),
  );
}

function nodeOf(block: BlockAnswer, recorded: RecordedObjects, depth: number, parentId: string): TreeNode {
  const children = depth > 6 ? [] : (recorded.children.get(block.id) ?? []);
  return {
    block,
    depth,
    parentId,
    children: children.flatMap((child) => {
      const parsed = blockAnswer.safeParse(child);
      return parsed.success ? [nodeOf(parsed.data, recorded, depth + 1, block.id)] : [];
    }),
  };
}

function mapNode(node: TreeNode, change: (block: BlockAnswer) => BlockAnswer): TreeNode {
  return {
    ...node,
    block: change(node.block),
    children: node.children.map((child) => mapNode(child, change)),
  };
}

/** Of a file only the address is kept by the emulator as it was given; signed ones stay as they are. */
const plain = (blocks: readonly Block[]): unknown => JSON.parse(JSON.stringify(blocks));

export async function roundTrip(recordings: readonly Recording[]): Promise<RoundTrip> {
  const result: RoundTrip = {
    ...{ blocks: 0, same: 0, different: [] },
    ...{ byType: new Map(), untried: new Map() },
  };
  const harness = await Harness.start();
  const { home, person } = harness.emulator.ids;
  const seen = new Set<string>();
  const untried = (why: string) => result.untried.set(why, (result.untried.get(why) ?? 0) + 1);
  try {
    const page = await harness.ok('DOCS_CREATE_DOCS_PAGE', { title: 'Copies', parent_id: home });
    const docs = harness.workspace();
    for (const recording of recordings) {
      const recorded = recordedObjects(recording);
      for (const object of recorded.objects.values()) {
        const parsed = blockAnswer.safeParse(object);
        if (!parsed.success || seen.has(parsed.data.id)) continue;
        const { id, type, has_children } = parsed.data;
        if (!creatableTypes.has(type)) continue;
        seen.add(id);
        result.blocks += 1;
        if (['table_row', 'column'].includes(type)) {
          untried('part of a table or of columns, tried with the whole');
          continue;
        }
        const holder = ['table', 'column_list'].includes(type);
        if (holder && !recorded.children.has(id)) {
          untried(`${type} without its recorded content`);
          continue;
        }
        const node = nodeOf(
          has_children === true ? parsed.data : { ...parsed.data, has_children: false },
          recorded,
          0,
          '',
        );
        const wanted = copyBlocks([mapNode(node, (block) => withKnownIds(block, { home, person }))]);
        const [first] = wanted.skipped;
        if (first !== undefined && wanted.blocks.length === 0) {
          untried(`${type}: ${first.reason.replace(/https?:\S+/g, '…').slice(0, 120)}`);
          continue;
        }
        const made = await harness.run('DOCS_REPLACE_PAGE_CONTENT', {
          page_id: page['id'],
          new_children: wanted.blocks.map(wire),
        });
        if (!made.successful) {
          result.different.push(`${recording.name} ${type} ${id}: ${made.error ?? ''}`);
          continue;
        }
        const tree = await readTree(docs, String(page['id']), { maxDepth: 20, maxBlocks: 5000 });
        const got = copyBlocks(tree.nodes);
        if (isDeepStrictEqual(plain(got.blocks), plain(wanted.blocks))) {
          result.same += 1;
          result.byType.set(type, (result.byType.get(type) ?? 0) + 1);
        } else {
          result.different.push(
            `${recording.name} ${type} ${id}:\n    sent ${JSON.stringify(wanted.blocks).slice(0, 600)}\n    back ${JSON.stringify(got.blocks).slice(0, 600)}`,
          );
        }
      }
    }
  } finally {
    await harness.emulator.stop();
  }
  return result;
}

function wire(block: Block): Record<string, unknown> {
  const children = block.children.map(wire);
  return {
    object: 'block',
    type: block.type,
    [block.type]: { ...block.body, ...(children.length === 0 ? {} : { children }) },
  };
}
