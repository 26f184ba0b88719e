/** Shortens the workspace's responses for a model: drops request ids, and fields that are empty or redundant. */
import type { JsonObject } from '../contract/workspace/actions.ts';
import { isObject, objectAt, textAt } from './json-value.ts';
import { readAnnotations } from './blocks/rich-text.ts';

const emptyWords = new Set([
  'href',
  'link',
  'icon',
  'cover',
  'public_url',
  'avatar_url',
  'description',
  'end',
  'time_zone',
]);
const kinds = new Set(['page', 'block', 'database', 'data_source', 'file_upload']);

/**
 * Shortens a rich text item: drops annotations of plain text, and `plain_text` and `href` if they repeat other fields.
 */
function compactRichText(item: JsonObject): JsonObject {
  const { plain_text: plain, annotations, href, ...rest } = item;
  const style = readAnnotations(annotations);
  const text = objectAt(rest, 'text');
  return {
    ...compactObject(rest),
    ...(Object.keys(style).length === 0 ? {} : { annotations: style }),
    ...(text !== undefined && textAt(text, 'content') === plain ? {} : { plain_text: plain }),
    ...(href === null || href === undefined || href === textAt(objectAt(text, 'link'), 'url')
      ? {}
      : { href }),
  };
}

function compactObject(value: JsonObject): JsonObject {
  // Uses Object.fromEntries, because an assignment cannot create the key `__proto__`, and a column may have this name.
  const kept: Record<string, unknown> = Object.fromEntries(
    Object.entries(value)
      .filter(
        ([key, inner]) =>
          key !== 'request_id' && inner !== undefined && !(inner === null && emptyWords.has(key)),
      )
      .map(([key, inner]) => [key, compact(inner)]),
  );
  const trashed = value['archived'] ?? value['in_trash'];
  if (typeof trashed === 'boolean' && kinds.has(textAt(value, 'object') ?? '')) kept['archived'] = trashed;
  return kept;
}

export function compact(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(compact);
  if (!isObject(value)) return value;
  return 'plain_text' in value && 'annotations' in value ? compactRichText(value) : compactObject(value);
}

/** Returns one page of results, with the number of results on it. */
export function listResult({
  results,
  has_more,
  next_cursor,
}: {
  results: readonly unknown[];
  has_more: boolean;
  next_cursor: string | null;
}): JsonObject {
  return { results, count: results.length, has_more, next_cursor };
}
