/** What the answers of one recording show: objects by id, children lists, discussions. */
import { dashed } from '../ids.ts';
import { asArray, asObject, asString, isObject, type Json, type JsonObject } from '../json.ts';
import type { Recording } from './recording.ts';

export interface RecordedObjects {
  objects: Map<string, JsonObject>;
  /** First-level children of a page or block, in order. */
  children: Map<string, JsonObject[]>;
  /** Discussion id → id of the page or block that it is on. */
  discussions: Map<string, string>;
}

const kinds = ['page', 'block', 'database', 'data_source'];

export function recordedObjects(recording: Recording): RecordedObjects {
  const found: RecordedObjects = { objects: new Map(), children: new Map(), discussions: new Map() };
  for (const { method, path, answer } of recording.exchanges) {
    visit(found, answer);
    const parent = /^\/v1\/blocks\/([0-9a-f-]+)\/children/.exec(path)?.[1];
    if (method !== 'GET' || parent === undefined) continue;
    const list = found.children.get(dashed(parent)) ?? [];
    found.children.set(dashed(parent), [...list, ...asArray(asObject(answer)['results']).map(asObject)]);
  }
  return found;
}

function visit(found: RecordedObjects, value: Json): void {
  if (Array.isArray(value)) for (const each of value) visit(found, each);
  if (!isObject(value)) return;
  const id = asString(value['id']);
  const before = found.objects.get(id);
  const full = kinds.includes(asString(value['object'])) && 'parent' in value;
  // A page shows more than its child_page block.
  if (full && (before === undefined || before['object'] === 'block')) found.objects.set(id, value);
  if (value['object'] === 'comment') {
    const parent = asObject(value['parent']);
    found.discussions.set(asString(value['discussion_id']), asString(parent[asString(parent['type'])]));
  }
  for (const each of Object.values(value)) visit(found, each);
}
