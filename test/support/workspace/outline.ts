/** A page's living blocks as indented lines, for assertions. */
import { liveChildren } from './block-answer.ts';
import { asArray } from './json.ts';
import { plainText } from './rich-text.ts';
import { titleOf } from './title.ts';
import type { Entity } from './state.ts';
import type { World } from './world.ts';

export function outline(world: World, id: string, indent = ''): string[] {
  const entity = world.state.entities.get(id);
  if (entity === undefined) throw new Error(`The emulator holds nothing with the id ${id}.`);
  return liveChildren(world, entity).flatMap((child) => [
    `${indent}${line(world, child)}`,
    ...(child.kind === 'block' ? outline(world, child.id, `${indent}  `) : []),
  ]);
}

function line(world: World, entity: Entity): string {
  if (entity.kind !== 'block')
    return `${entity.kind === 'page' ? 'child_page' : 'child_database'}: ${titleOf(world, entity)}`;
  if (entity.type === 'table_row') {
    const cells = asArray(entity.content['cells']).map((cell) => plainText(world, asArray(cell)));
    return `table_row: ${cells.join(' | ')}`;
  }
  const text = plainText(world, asArray(entity.content['rich_text']));
  return text === '' ? entity.type : `${entity.type}: ${text}`;
}
