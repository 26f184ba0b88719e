/**
 * Appends any number of blocks of any depth, in one or more requests. Each request is a recorded step, so that a retry
 * does not create its blocks twice.
 */
import { z } from 'zod';
import type { BlockAnswer } from '../client/answers.ts';
import type { RunContext } from '../context.ts';
import { invalidInput } from '../failures.ts';
import { objectAt, textAt } from '../json-value.ts';
import { createOnce, recorded, type Found } from '../steps.ts';
import { countBlocks, toWire, type Block } from './block.ts';
import { readChildren } from './read-tree.ts';
import { planAppend, type Rest } from './plan-append.ts';
import { ownText } from './rich-text.ts';

const createdBlock = z.object({ id: z.string(), type: z.string(), has_children: z.boolean() });
type CreatedBlock = z.infer<typeof createdBlock>;
const createdList = z.array(createdBlock);

/** Ids of the siblings between which new blocks appear. `anchor` null: from the start; `stop` null: up to the end. */
const gap = z.object({ anchor: z.string().nullable(), stop: z.string().nullable() });
type Gap = z.infer<typeof gap>;

type AppendOptions = {
  parentId: string;
  blocks: readonly Block[];
  after?: string | undefined;
  /** Prefix of the step names. */
  step: string;
  /** `last`: id of the parent's last child; null if the parent has none. Without `tail`, the children are read. */
  tail?: { last: string | null };
};

type Appended = { created: CreatedBlock[]; requests: number; blocks: number };

/** @returns the type and the text of a block, by which a sent block is recognized among the workspace's blocks */
function signature(type: string, body: unknown): string {
  const words =
    type === 'equation' ? textAt(body, 'expression') : ownText(objectAt({ body }, 'body')?.['rich_text']);
  return `${type}\n${words ?? ''}`;
}

/**
 * Finds the blocks between which the new ones go.
 * @throws ActionError INVALID_INPUT if `after` is not a direct child of the parent; the failures of the workspace
 */
async function readGap(context: RunContext, { parentId, after, tail }: AppendOptions): Promise<Gap> {
  if (tail !== undefined && after === undefined) return { anchor: tail.last, stop: null };
  const { blocks } = await readChildren(context.docs, parentId);
  if (after === undefined) return { anchor: blocks.at(-1)?.id ?? null, stop: null };
  const index = blocks.findIndex((block) => block.id === after);
  if (index === -1) {
    throw invalidInput(
      `after is ${after}, which is not a direct child of ${parentId}. Give the page or block that holds it as the parent, or leave after out to append at the end`,
    );
  }
  return { anchor: after, stop: blocks[index + 1]?.id ?? null };
}

/**
 * Finds consecutive new children whose types and texts equal those of the batch.
 * @returns `one` with these children; `none` if there are none; `unclear` if a sibling next to the gap is missing, or
 * if several places in the gap match the batch
 */
async function findAppended(
  context: RunContext,
  parentId: string,
  batch: readonly Block[],
  { anchor, stop }: Gap,
): Promise<Found<CreatedBlock[]>> {
  const { blocks } = await readChildren(context.docs, parentId);
  const start = anchor === null ? 0 : blocks.findIndex((block) => block.id === anchor) + 1;
  const end = stop === null ? blocks.length : blocks.findIndex((block) => block.id === stop);
  if ((anchor !== null && start === 0) || end === -1) {
    return {
      found: 'unclear',
      why: 'the neighbouring blocks have changed since, so it cannot be identified',
    };
  }
  const added = blocks.slice(start, end);
  const signs = added.map((block) => signature(block.type, block[block.type]));
  const wanted = batch.map((block) => signature(block.type, block.body));
  const matches = added.filter((_, at) => wanted.every((sign, offset) => signs[at + offset] === sign));
  const [first, second] = matches;
  if (first === undefined) return { found: 'none' };
  if (second !== undefined) return { found: 'unclear', why: 'the same blocks are there more than once' };
  const at = added.indexOf(first);
  return { found: 'one', value: added.slice(at, at + batch.length).map(toCreated) };
}

const toCreated = ({ id, type, has_children }: BlockAnswer): CreatedBlock => ({
  id,
  type,
  has_children: has_children ?? false,
});

async function idAt(
  context: RunContext,
  step: string,
  rootId: string,
  path: readonly number[],
): Promise<string> {
  return recorded(context, step, z.string(), async () => {
    let id = rootId;
    for (const index of path) {
      const child = (await readChildren(context.docs, id)).blocks[index];
      if (child === undefined)
        throw invalidInput(`the block ${id} was changed while its content was being appended`);
      id = child.id;
    }
    return id;
  });
}

/**
 * Appends the blocks that did not fit into the request of their ancestor.
 * @throws ActionError INVALID_INPUT if the workspace returned fewer blocks than were sent, or if the parent of the
 * blocks is no longer there; the errors of appendTree
 */
async function appendRest(
  context: RunContext,
  step: string,
  created: readonly CreatedBlock[],
  rest: Rest,
): Promise<Appended> {
  const [top, ...path] = rest.path;
  const root = created[top ?? 0];
  if (root === undefined) throw invalidInput('the workspace answered with fewer blocks than were sent');
  const parentId = path.length === 0 ? root.id : await idAt(context, `${step}/parent`, root.id, path);
  return appendTree(context, {
    parentId,
    blocks: rest.blocks,
    step,
    ...(rest.parentIsEmpty ? { tail: { last: null } } : {}),
  });
}

/**
 * Appends the blocks. A retry with the same step log continues after the last recorded request.
 * @returns the created top-level blocks in order, and the numbers of requests and of all created blocks
 * @throws ActionError INVALID_INPUT if `after` is not a child of the parent, if a block is too large for a request, or
 * if created blocks are missing from the response or were changed meanwhile; the failures of createOnce
 */
export async function appendTree(context: RunContext, options: AppendOptions): Promise<Appended> {
  const { parentId, step } = options;
  const batches = planAppend(options.blocks);
  const created: CreatedBlock[] = [];
  let requests = 0;
  let blocks = 0;
  let place: Gap | undefined;
  for (const [number, batch] of batches.entries()) {
    const name = `${step}/${number + 1}`;
    const previous = place;
    const before = await recorded(context, `${name}/gap`, gap, () =>
      previous === undefined ? readGap(context, options) : Promise.resolve(previous),
    );
    // Without `after`, the workspace appends each batch at the end. With `after`, each batch is placed after the
    // previous one.
    const after = options.after === undefined ? undefined : (before.anchor ?? undefined);
    const made = await createOnce(context, name, {
      made: createdList,
      before: gap,
      lookBefore: () => Promise.resolve(before),
      send: async () => {
        const answer = await context.docs.appendChildren(parentId, batch.blocks.map(toWire), after);
        return answer.results.slice(0, batch.blocks.length).map(toCreated);
      },
      find: (gapBefore) => findAppended(context, parentId, batch.blocks, gapBefore),
      what: `the append of ${batch.blocks.length} blocks to ${parentId}`,
    });
    created.push(...made);
    requests += 1;
    blocks += batch.blocks.reduce((sum, block) => sum + countBlocks(block), 0);
    place = { anchor: made.at(-1)?.id ?? before.anchor, stop: before.stop };
    for (const [index, rest] of batch.rests.entries()) {
      const inner = await appendRest(context, `${name}/rest-${index + 1}`, made, rest);
      requests += inner.requests;
      blocks += inner.blocks;
    }
  }
  return { created, requests, blocks };
}
