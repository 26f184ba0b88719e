/** The state with its clock: finding, sharing, trash and time, used by every route. */
import { archivedAncestor, archivedBlock, notFound } from './errors.ts';
import type { Bot, DataSource, Database, Entity, Page, Parent, State } from './state.ts';

/** Switches that a test may change at any time. */
export interface Settings {
  /** New and changed objects stay invisible to search for this long. */
  searchDelayMs: number;
  /** Query results per (filter, sort) before `request_status.type = "incomplete"`. */
  queryCap: number;
  /** Blocks that one markdown answer holds before it is truncated. */
  markdownBlockLimit: number;
  /** Answers of an async task that say `queued` or `running` before it succeeds. */
  asyncPolls: number;
  /** How long the import of an external file takes. A just created one is always `pending`, as at the real service. */
  importMs: number;
  /** null: no limit. Otherwise tokens per second and burst per connection. */
  rateLimit: { perSecond: number; burst: number } | null;
}

export const defaultSettings: Settings = {
  searchDelayMs: 0,
  queryCap: 10_000,
  markdownBlockLimit: 20_000,
  asyncPolls: 1,
  importMs: 0,
  rateLimit: null,
};

export interface World {
  state: State;
  settings: Settings;
  now: () => number;
  newId: () => string;
  /** Address at which the emulator listens, for upload and file addresses. */
  url: string;
}

export function parentOf(world: World, entity: Entity): Entity | undefined {
  if (entity.kind === 'data_source') return world.state.entities.get(entity.database);
  return entity.parent.type === 'workspace' ? undefined : world.state.entities.get(entity.parent.id);
}

/** Nearest first. */
export function ancestors(world: World, entity: Entity): Entity[] {
  const found: Entity[] = [];
  for (let at = parentOf(world, entity); at !== undefined; at = parentOf(world, at)) found.push(at);
  return found;
}

export function visible(world: World, bot: Bot, entity: Entity): boolean {
  if (entity.workspace !== bot.workspace) return false;
  return [entity, ...ancestors(world, entity)].some((each) => bot.shared.includes(each.id));
}

/** Not shared and not there are the same answer. @throws ApiError 404 */
export function find(world: World, bot: Bot, id: string, kind: string): Entity {
  const entity = world.state.entities.get(id);
  if (entity === undefined || !visible(world, bot, entity)) throw notFound(kind, id, bot);
  return entity;
}

export function underTrash(world: World, entity: Entity): boolean {
  return ancestors(world, entity).some((each) => each.inTrash);
}

/** Alive for search, queries and children lists. */
export function alive(world: World, entity: Entity): boolean {
  return !entity.inTrash && !underTrash(world, entity);
}

/** @throws ApiError 400 when it, or what it lies in, is in the trash */
export function requireEditable(world: World, entity: Entity): void {
  if (entity.inTrash) throw archivedBlock();
  if (underTrash(world, entity)) throw archivedAncestor();
}

export function touch(world: World, bot: Bot, entity: Entity): void {
  entity.editedAt = world.now();
  entity.editedBy = bot.id;
}

export function stamps(world: World, bot: Bot) {
  const at = world.now();
  return {
    workspace: bot.workspace,
    createdAt: at,
    editedAt: at,
    createdBy: bot.id,
    editedBy: bot.id,
    inTrash: false,
  };
}

/** Pages and blocks are stamped by the minute. */
export function minute(at: number): string {
  return new Date(Math.floor(at / 60_000) * 60_000).toISOString();
}

/** Databases keep milliseconds, with an offset instead of Z. */
export function precise(at: number): string {
  return new Date(at).toISOString().replace('Z', '+00:00');
}

/** The ordered list that holds this entity, in its parent. */
export function siblings(world: World, entity: Page | Database | Entity): string[] {
  const parent = parentOf(world, entity);
  if (parent === undefined) return [];
  if (parent.kind === 'data_source') return parent.rows;
  if (parent.kind === 'database') return parent.sources;
  return parent.children;
}

export function detach(world: World, entity: Entity): void {
  const list = siblings(world, entity);
  const at = list.indexOf(entity.id);
  if (at >= 0) list.splice(at, 1);
}

export function parentAnswer(world: World, parent: Parent): Record<string, string | boolean> {
  if (parent.type === 'workspace') return { type: 'workspace', workspace: true };
  const answer: Record<string, string | boolean> = { type: parent.type, [parent.type]: parent.id };
  if (parent.type === 'data_source_id') {
    const source = world.state.entities.get(parent.id);
    if (source?.kind === 'data_source') answer['database_id'] = source.database;
  }
  return answer;
}

export function sourceOf(world: World, page: Page): DataSource | undefined {
  if (page.parent.type !== 'data_source_id') return undefined;
  const source = world.state.entities.get(page.parent.id);
  return source?.kind === 'data_source' ? source : undefined;
}
