/** Converts values that refer to something: people, related pages, files. */
import { readWorkspaceId } from '../../contract/workspace/workspace-id.ts';
import { limits } from '../blocks/block-limits.ts';
import { isWebUrl } from '../blocks/rich-text.ts';
import { isObject, objectAt, shown, textAt } from '../json-value.ts';
import type { Converted } from './converted.ts';

function listOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  if (typeof value !== 'string') return [value];
  return value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** UUIDs or URLs, as a list or as text with commas. */
export function readIds(value: unknown, type: 'people' | 'relation'): Converted {
  const items = listOf(value);
  if (items.length > limits.optionsPerProperty)
    return { problem: `has ${items.length} entries; at most ${limits.optionsPerProperty} per request` };
  const ids: { id: string; object?: 'user' }[] = [];
  for (const item of items) {
    const text = typeof item === 'string' ? item : textAt(item, 'id');
    const id = text === undefined ? undefined : readWorkspaceId(text);
    if (id === undefined) {
      const where =
        type === 'people'
          ? 'DOCS_LIST_USERS lists the ids of people'
          : 'give ids or URLs of pages in the related database';
      return { problem: `holds ${shown(item)}, which is not an id; ${where}` };
    }
    ids.push(type === 'people' ? { object: 'user', id } : { id });
  }
  return { value: ids };
}

function fileName(url: string): string {
  const last = new URL(url).pathname.split('/').at(-1) ?? '';
  return (last === '' ? url : last).slice(0, 100);
}

/** Web addresses, or `file_upload:<id>` of a completed upload. */
export function readFiles(value: unknown): Converted {
  const files: unknown[] = [];
  for (const item of listOf(value)) {
    const upload =
      typeof item === 'string'
        ? /^file_upload:(.+)$/.exec(item)?.[1]
        : textAt(objectAt(item, 'file_upload'), 'id');
    const url =
      typeof item === 'string' ? item : (textAt(objectAt(item, 'external'), 'url') ?? textAt(item, 'url'));
    const name = isObject(item) ? textAt(item, 'name') : undefined;
    if (upload !== undefined && readWorkspaceId(upload) !== undefined) {
      files.push({
        type: 'file_upload',
        file_upload: { id: readWorkspaceId(upload) },
        ...(name === undefined ? {} : { name }),
      });
    } else if (url !== undefined && isWebUrl(url)) {
      files.push({ type: 'external', name: name ?? fileName(url), external: { url } });
    } else {
      return {
        problem: `holds ${shown(item)}; give https addresses, or file_upload:<id> of a finished upload`,
      };
    }
  }
  return { value: files };
}
