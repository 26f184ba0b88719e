/** Converts dates, people, related pages and files to the workspace's values. */
import { readWorkspaceId } from '../../contract/workspace/workspace-id.ts';
import { limits } from '../blocks/limits.ts';
import { isWebUrl } from '../blocks/rich-text.ts';
import { isObject, objectAt, shown, textAt } from '../json-value.ts';

/**
 * The result of converting one value. `problem` is an error message for an invalid value; `note` describes a change.
 */
export type Converted = { value?: unknown; note?: string; problem?: string };

const form = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/;

function isDate(text: string): boolean {
  if (!form.test(text)) return false;
  const [year, month, day] = text.slice(0, 10).split('-').map(Number);
  const date = new Date(`${text.slice(0, 10)}T00:00:00Z`);
  return (
    !Number.isNaN(Date.parse(text)) &&
    date.getUTCFullYear() === year &&
    date.getUTCMonth() + 1 === month &&
    date.getUTCDate() === day
  );
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

export function readDate(value: unknown): Converted {
  const given = isObject(value) ? value : undefined;
  const [from, to, ...more] =
    typeof value === 'string'
      ? value.split('/').map((part) => part.trim().replace(/^(\d{4}-\d{2}-\d{2}) (?=\d)/, '$1T'))
      : [];
  const start = given === undefined ? from : textAt(given, 'start');
  const end = given === undefined ? to : textAt(given, 'end');
  const timeZone = textAt(given, 'time_zone');
  const dates = [start, ...(end === undefined ? [] : [end])];
  if (more.length > 0 || dates.some((date) => date === undefined || !isDate(date))) {
    return {
      problem: `is ${shown(value)}; give an ISO date such as 2026-05-01, a date-time such as 2026-05-01T09:30:00+02:00, a range start/end, or {"start","end","time_zone"}`,
    };
  }
  if (start !== undefined && end !== undefined && Date.parse(end) < Date.parse(start))
    return { problem: `ends (${end}) before it starts (${start})` };
  if (timeZone !== undefined && !isTimeZone(timeZone))
    return {
      problem: `has the time zone ${shown(timeZone)}, which is not known; give an IANA name such as Europe/Berlin`,
    };
  return {
    value: {
      start,
      ...(end === undefined ? {} : { end }),
      ...(timeZone === undefined ? {} : { time_zone: timeZone }),
    },
  };
}

function listOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  if (typeof value !== 'string') return [value];
  return value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/**
 * Reads ids from a list, from comma-separated text or from one object. Each item is a UUID, a URL that contains one, or
 * an object whose `id` is one of these.
 */
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

/**
 * Reads files from a list, from comma-separated text, or from one object. Each file is a web address,
 * `file_upload:<id>` for a completed upload, or an object in the workspace's form for one of these.
 */
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
