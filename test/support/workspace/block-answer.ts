/** A block, page or database as block endpoints answer it. */
import type { Call } from './call.ts';
import { showContent } from './block-content.ts';
import { asObject, asString, type JsonObject } from './json.ts';
import { titleOf } from './title.ts';
import type { Block, Database, Entity, Page } from './state.ts';
import { partialUser } from './user-answer.ts';
import { alive, minute, parentAnswer, type World } from './world.ts';

/** `archived` is answered beside `in_trash` before 2026-03-11. */
export function trashFields(call: Call, entity: { inTrash: boolean }): JsonObject {
  return call.version >= '2026-03-11' ? {} : { archived: entity.inTrash };
}

export function showBlock(call: Call, entity: Entity): JsonObject {
  if (entity.kind === 'data_source')
    return showBlock(call, call.world.state.entities.get(entity.database) ?? entity);
  const { world } = call;
  return {
    object: 'block',
    id: entity.id,
    parent: blockParent(world, entity),
    created_time: minute(entity.createdAt),
    last_edited_time: minute(entity.editedAt),
    created_by: partialUser(entity.createdBy),
    last_edited_by: partialUser(entity.editedBy),
    has_children: hasChildren(world, entity),
    in_trash: entity.inTrash,
    ...typed(world, entity),
    ...trashFields(call, entity),
  };
}

function blockParent(world: World, entity: Block | Page | Database): JsonObject {
  return parentAnswer(world, entity.parent);
}

function typed(world: World, entity: Block | Page | Database): JsonObject {
  if (entity.kind === 'block')
    return { type: entity.type, [entity.type]: showContent(world, entity.content) };
  const type = entity.kind === 'page' ? 'child_page' : 'child_database';
  return { type, [type]: { title: titleOf(world, entity) } };
}

export function liveChildren(world: World, entity: Entity): Entity[] {
  const ids = entity.kind === 'block' ? synced(world, entity) : entity.kind === 'page' ? entity.children : [];
  return ids
    .map((id) => world.state.entities.get(id))
    .filter((child) => child !== undefined)
    .filter((child) => !child.inTrash);
}

function synced(world: World, block: Block): string[] {
  const from = block.content['synced_from'];
  if (block.type !== 'synced_block' || from === null || typeof from !== 'object' || Array.isArray(from)) {
    return block.children;
  }
  const original = world.state.entities.get(asString(asObject(from)['block_id']));
  return original?.kind === 'block' && alive(world, original) ? original.children : [];
}

function hasChildren(world: World, entity: Entity): boolean {
  return liveChildren(world, entity).length > 0;
}
