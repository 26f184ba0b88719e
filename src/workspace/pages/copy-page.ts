/** Copies a page with its content to another parent. */
import type { PageAnswer } from '../client/answers.ts';
import type { JsonObject } from '../../contract/workspace/actions.ts';
import { copyBlocks, type Skipped } from '../blocks/clean-block.ts';
import { splitBlock } from '../blocks/plan-append.ts';
import { readTree } from '../blocks/read-tree.ts';
import type { RunContext } from '../context.ts';
import { invalidInput } from '../failures.ts';
import { readProperties } from '../rows/read-properties.ts';
import { createPage } from './create-page.ts';
import { copyable, titleText, truncatedProperties } from './page-fields.ts';
import type { ResolvedParent } from '../resolve-ids.ts';

const maxBlocks = 10_000;

type CopiedPage = { page: PageAnswer; skipped: Skipped[] };

/**
 * Converts the values of the page's properties to properties of the new parent with the same name and type. Ignores the
 * title and all other properties. Leaves out computed properties and invalid values, with a warning for each. Returns
 * an empty object if the parent is a page.
 */
function copyProperties(context: RunContext, source: PageAnswer, parent: ResolvedParent): JsonObject {
  if (parent.kind === 'page') return {};
  const target = Object.values(parent.dataSource.properties);
  const same = Object.entries(source.properties).filter(
    ([name, value]) =>
      value.type !== 'title' &&
      target.some((property) => property.name === name && property.type === value.type),
  );
  const values = same.map(([name, value]) => ({
    name,
    value: value.type === undefined ? null : value[value.type],
  }));
  const read = readProperties(values, target, 'leave_out');
  for (const text of [...read.warnings, ...read.problems]) context.warn(`Not copied: ${text}`);
  const cut = truncatedProperties(source).filter((name) => Object.hasOwn(read.properties, name));
  if (cut.length > 0)
    context.warn(`Perhaps not copied whole, since a page shows 25 references of each: ${cut.join(', ')}.`);
  return read.properties;
}

/**
 * Copies the page, its content and the properties that the schema of the new parent accepts.
 * @param options.step prefix of the step names, without a slash
 * @returns the copy, and the blocks that could not be copied
 * @throws ActionError before any write if the page has too many blocks or levels to be copied whole; the failures of
 * readTree and createPage
 */
export async function copyPage(
  context: RunContext,
  options: { source: PageAnswer; parent: ResolvedParent; title: string; step: string },
): Promise<CopiedPage> {
  const { source, parent, title, step } = options;
  const tree = await readTree(context.docs, source.id, {
    maxDepth: 100,
    maxBlocks,
    only: (block) => block.type !== 'child_page',
  });
  if (tree.truncated !== undefined)
    throw invalidInput(
      `the page ${source.id} has more than ${maxBlocks} blocks and cannot be copied in one action; copy it in parts`,
    );
  const { blocks, skipped, warnings } = copyBlocks(tree.nodes);
  for (const warning of warnings) context.warn(warning);
  for (const id of tree.unreadable)
    context.warn(`The content of the block ${id} is not shared with the connection and was not copied.`);
  const icon = copyable(source.icon);
  const cover = copyable(source.cover);
  if (source.icon && icon === undefined)
    context.warn('The icon is a file of the workspace and was not copied.');
  if (source.cover && cover === undefined)
    context.warn('The cover is a file of the workspace and was not copied.');
  const properties = { ...copyProperties(context, source, parent), title: { title: titleText(title) } };
  const page = await createPage(context, `${step}/`, parent, {
    title: titleText(title),
    blocks: blocks.flatMap(splitBlock),
    properties,
    icon,
    cover,
  });
  return { page, skipped };
}
