/** Creates a row after checking its values against the live schema. */
import type { DataSourceAnswer } from '../client/answers.ts';
import type { JsonObject } from '../../contract/workspace/actions.ts';
import { appendTree } from '../blocks/append-tree.ts';
import type { Block } from '../blocks/block.ts';
import type { RunContext } from '../context.ts';
import { ActionError } from '../failures.ts';
import { isObject, listAt } from '../json-value.ts';
import { createPageOnce } from '../pages/create-page.ts';
import { coverOf, emojiOf } from '../pages/page-fields.ts';
import { readProperties, schemaList, type NamedValue, type RowProperties } from './read-properties.ts';

export type RowExtras = { icon?: string | undefined; cover?: string | undefined; blocks: readonly Block[] };

/** @throws ActionError VALIDATION_ERROR with the workspace's message and the existing names and types */
export function checkedProperties(
  context: RunContext,
  values: readonly NamedValue[],
  dataSource: DataSourceAnswer,
): RowProperties['properties'] {
  const read = readProperties(values, schemaList(dataSource), 'leave_out');
  if (read.problems.length > 0)
    throw new ActionError('VALIDATION_ERROR', read.problems.join('; '), { status: 400 });
  for (const warning of read.warnings) context.warn(warning);
  return read.properties;
}

function titleIn(properties: RowProperties['properties'], dataSource: DataSourceAnswer): JsonObject[] {
  const title = schemaList(dataSource).find((property) => property.type === 'title');
  return title === undefined ? [] : listAt(properties[title.name], 'title').filter(isObject);
}

export async function insertRow(
  context: RunContext,
  dataSource: DataSourceAnswer,
  properties: RowProperties['properties'],
  extras: RowExtras,
): Promise<JsonObject> {
  const icon = emojiOf(extras.icon);
  const cover = coverOf(extras.cover);
  const page = await createPageOnce(
    context,
    'create',
    { data_source_id: dataSource.id },
    titleIn(properties, dataSource),
    {
      properties,
      ...(icon === undefined ? {} : { icon }),
      ...(cover === undefined ? {} : { cover }),
    },
  );
  const appended = await appendTree(context, {
    parentId: page.id,
    blocks: extras.blocks,
    step: 'content',
    tail: { last: null },
  });
  return extras.blocks.length === 0 ? page : { ...page, blocks_created: appended.blocks };
}
