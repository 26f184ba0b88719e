/** Routes of blocks: retrieve, update, delete, list and append children. */
import { showBlock, liveChildren } from './block-answer.ts';
import { blockContent, creatable, headings } from './block-content.ts';
import { checkParent, checkWidth, drafts, plant } from './block-tree.ts';
import {
  bodyOf,
  listing,
  objectAt,
  onlyKeys,
  requireCapability,
  trashFlag,
  type Call,
  type Handler,
} from './call.ts';
import { archivedAncestor, archivedBlock, invalid, notFound, shouldBe } from './errors.ts';
import { requireId } from './ids.ts';
import { asObject, isObject, type JsonObject } from './json.ts';
import type { Entity, Page } from './state.ts';
import { find, parentOf, requireEditable, touch, underTrash } from './world.ts';

function block(call: Call): Entity {
  const id = requireId(call.params['block_id'], 'path.block_id');
  const entity = find(call.world, call.bot, id, 'block');
  if (entity.kind === 'data_source') throw notFound('block', id, call.bot);
  return entity;
}

export const retrieveBlock: Handler = (call) => {
  requireCapability(call, 'read_content');
  return showBlock(call, block(call));
};

export const listChildren: Handler = (call) => {
  requireCapability(call, 'read_content');
  const entity = block(call);
  return listing(call, {
    items: liveChildren(call.world, entity),
    idOf: (child) => child.id,
    show: (child) => showBlock(call, child),
    type: 'block',
    from: 'query',
  });
};

/** @throws ApiError for workspace-level pages, which only a person can trash */
export function setTrash(call: Call, entity: Entity, trash: boolean): void {
  if (trash && !entity.inTrash && isRoot(entity)) {
    throw invalid('Archiving workspace level pages via API not supported.');
  }
  if (underTrash(call.world, entity)) throw archivedAncestor();
  entity.inTrash = trash;
  touch(call.world, call.bot, entity);
}

function isRoot(entity: Entity): entity is Page {
  return entity.kind === 'page' && entity.parent.type === 'workspace';
}

export const deleteBlock: Handler = (call) => {
  requireCapability(call, 'update_content');
  const entity = block(call);
  if (entity.inTrash) throw archivedBlock();
  setTrash(call, entity, true);
  return showBlock(call, entity);
};

export const updateBlock: Handler = (call) => {
  requireCapability(call, 'update_content');
  const entity = block(call);
  const body = bodyOf(call);
  const trash = trashFlag(call, body);
  onlyKeys(body, [...creatable, 'type', 'object', 'archived', 'in_trash'], 'body');
  const type = creatable.find((each) => body[each] !== undefined);
  if (trash === undefined && type === undefined) {
    throw shouldBe(entity.kind === 'block' ? `body.${entity.type}` : 'body.in_trash', 'defined', undefined);
  }
  if (type !== undefined && entity.kind !== 'block')
    throw invalid(`Expected block type ${asKind(entity)} in request body`);
  if (type !== undefined && entity.kind === 'block' && type !== entity.type) {
    throw invalid(`Expected block type ${entity.type} in request body`);
  }
  const changes = type === undefined ? undefined : contentChanges(call, entity, type, body);
  if (trash !== false) requireEditable(call.world, entity);
  if (trash !== undefined) setTrash(call, entity, trash);
  else requireEditable(call.world, entity);
  if (entity.kind === 'block' && changes !== undefined) {
    Object.assign(entity.content, changes);
    touch(call.world, call.bot, entity);
  }
  return showBlock(call, entity);
};

function asKind(entity: Entity): string {
  return entity.kind === 'page' ? 'child_page' : 'child_database';
}

function contentChanges(call: Call, entity: Entity, type: string, body: JsonObject): JsonObject {
  const given = objectAt(body[type], `body.${type}`) ?? {};
  if (
    given['children'] !== undefined &&
    !(Array.isArray(given['children']) && given['children'].length === 0)
  )
    throw shouldBe(`body.${type}.children`, 'not present', given['children']);
  const changes = blockContent(call, type, given, `body.${type}`, true);
  if (entity.kind !== 'block') return changes;
  if (headings.includes(type) && changes['is_toggleable'] === false && entity.children.length > 0) {
    throw invalid('Cannot make a heading with children not toggleable.');
  }
  if (
    type === 'table' &&
    changes['table_width'] !== undefined &&
    changes['table_width'] !== entity.content['table_width']
  ) {
    throw shouldBe('body.table.table_width', 'not present', changes['table_width']);
  }
  const table = parentOf(call.world, entity);
  if (type === 'table_row' && table?.kind === 'block') checkWidth(table.content, { content: changes });
  return changes;
}

export const appendChildren: Handler = (call) => {
  requireCapability(call, 'insert_content');
  const entity = block(call);
  const body = bodyOf(call);
  const modern = call.version >= '2026-03-11';
  onlyKeys(body, ['children', modern ? 'position' : 'after'], 'body');
  const children = drafts(call, body['children'], 'body.children');
  if (entity.kind !== 'block' && entity.kind !== 'page') throw invalid('Block does not support children');
  checkParent(entity.kind === 'block' ? entity : undefined, children);
  const at = modern ? position(call, entity.children, body) : after(entity.children, body);
  requireEditable(call.world, entity);
  const parent = {
    type: entity.kind === 'page' ? ('page_id' as const) : ('block_id' as const),
    id: entity.id,
  };
  const created = plant(call, parent, children);
  entity.children.splice(at ?? entity.children.length, 0, ...created);
  touch(call.world, call.bot, entity);
  const behind = at === undefined ? created.length : entity.children.length - at;
  const shown = entity.children
    .slice(at ?? entity.children.length - created.length)
    .slice(0, Math.max(created.length, Math.min(100, behind)))
    .map((id) => call.world.state.entities.get(id))
    .filter((child) => child !== undefined && !child.inTrash);
  return {
    object: 'list',
    results: shown.map((child) => (child === undefined ? null : showBlock(call, child))),
    next_cursor: null,
    has_more: false,
    type: 'block',
    block: {},
  };
};

function after(children: readonly string[], body: JsonObject): number | undefined {
  if (body['after'] === undefined) return undefined;
  return behind(children, requireId(body['after'], 'body.after', true), 'body.after');
}

function position(call: Call, children: readonly string[], body: JsonObject): number | undefined {
  const given = objectAt(body['position'], 'body.position', true);
  if (given === undefined || given['type'] === 'end') return undefined;
  if (given['type'] === 'start') return 0;
  if (given['type'] !== 'after_block' || !isObject(given['after_block'])) {
    throw shouldBe('body.position.type', '`"after_block"`, `"start"` or `"end"`', given['type']);
  }
  const path = 'body.position.after_block.id';
  return behind(children, requireId(asObject(given['after_block'])['id'], path), path);
}

/** Returns the position of a new block behind this one. */
function behind(children: readonly string[], id: string, path: string): number {
  const at = children.indexOf(id);
  if (at < 0)
    throw invalid(
      `${path.split('.', 1)[0] ?? ''} failed validation: ${path} should be the ID of a block that is parented by the block that receives the children, instead was \`"${id}"\`.`,
    );
  return at + 1;
}
