/** The input of a route, and the checks of query and body that many routes share. */
import { ApiError, invalid, restricted, shouldBe } from './errors.ts';
import { isUuid } from './ids.ts';
import { isObject, type Json, type JsonObject } from './json.ts';
import type { Bot, Capability } from './state.ts';
import type { World } from './world.ts';

export interface Call {
  world: World;
  bot: Bot;
  params: Record<string, string>;
  query: URLSearchParams;
  body: Json;
  raw: Buffer;
  contentType: string;
  /** `2025-09-03` or `2026-03-11`. */
  version: string;
}

export interface Answer {
  status: number;
  body: JsonObject;
}

export type Handler = (call: Call) => JsonObject | Answer | Promise<JsonObject | Answer>;

export function bodyOf(call: Call): JsonObject {
  if (call.body === null) return {};
  if (!isObject(call.body)) throw shouldBe('body', 'an object', call.body);
  return call.body;
}

/** @throws ApiError `body.colour should be not present, instead was `"red"`.` */
export function onlyKeys(value: JsonObject, allowed: readonly string[], path: string): void {
  for (const [key, got] of Object.entries(value)) {
    if (!allowed.includes(key)) throw shouldBe(`${path}.${key}`, 'not present', got);
  }
}

export function objectAt(value: Json | undefined, path: string, optional = false): JsonObject | undefined {
  if (value === undefined && optional) return undefined;
  if (value === undefined) throw shouldBe(path, 'defined', value);
  if (!isObject(value)) throw shouldBe(path, optional ? 'an object or `undefined`' : 'an object', value);
  return value;
}

export function booleanAt(value: Json | undefined, path: string): boolean | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== 'boolean') throw shouldBe(path, 'a boolean or `undefined`', value);
  return value;
}

export function requireCapability(call: Call, capability: Capability): void {
  if (!call.bot.capabilities.includes(capability)) throw restricted();
}

/** `archived` is gone at 2026-03-11; before, both names are taken. */
export function trashFlag(call: Call, body: JsonObject): boolean | undefined {
  if (call.version >= '2026-03-11' && 'archived' in body) {
    throw shouldBe('body.archived', 'not present', body['archived']);
  }
  return booleanAt(body['in_trash'], 'body.in_trash') ?? booleanAt(body['archived'], 'body.archived');
}

function pageSize(given: Json | undefined, path: string): number {
  if (given === undefined || given === null) return 100;
  const size = typeof given === 'string' && given.trim() !== '' ? Number(given) : given;
  if (typeof size !== 'number' || !Number.isInteger(size)) {
    throw shouldBe(path, 'a number or `undefined`', given);
  }
  if (size > 100) throw shouldBe(path, '≤ `100` or `undefined`', size);
  if (size < 1) throw shouldBe(path, '≥ `1` or `undefined`', size);
  return size;
}

export interface Listing<T> {
  items: readonly T[];
  idOf: (item: T) => string;
  show: (item: T) => Json;
  type: string;
  /** Where size and cursor are: in the query string or in the body. */
  from: 'query' | 'body';
  /** Written before the id in `next_cursor`, as query cursors have it. */
  prefix?: string;
  badCursor?: (cursor: string) => ApiError;
}

/** One page of a list with its cursor. A cursor names the first element of the next page. */
export function listing<T>(call: Call, list: Listing<T>): JsonObject {
  const body = list.from === 'body' ? bodyOf(call) : {};
  const size = pageSize(
    list.from === 'body' ? body['page_size'] : (call.query.get('page_size') ?? undefined),
    `${list.from}.page_size`,
  );
  const cursor = list.from === 'body' ? (body['start_cursor'] ?? null) : call.query.get('start_cursor');
  const start = cursor === null ? 0 : startAt(list, cursor);
  const results = list.items.slice(start, start + size);
  const next = list.items[start + size];
  return {
    object: 'list',
    results: results.map(list.show),
    next_cursor: next === undefined ? null : `${list.prefix ?? ''}${list.idOf(next)}`,
    has_more: next !== undefined,
    type: list.type,
    [list.type]: {},
  };
}

function startAt<T>(list: Listing<T>, cursor: Json): number {
  const path = `${list.from}.start_cursor`;
  if (typeof cursor !== 'string') throw shouldBe(path, 'a string or `undefined`', cursor);
  const id = cursor.slice(cursor.lastIndexOf(':') + 1);
  if (!isUuid(id)) throw list.badCursor?.(cursor) ?? shouldBe(path, 'a valid uuid or `undefined`', cursor);
  const at = list.items.findIndex((item) => list.idOf(item) === id);
  if (at < 0) throw list.badCursor?.(cursor) ?? invalid(`The start_cursor provided is invalid: ${cursor}`);
  return at;
}
