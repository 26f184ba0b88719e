/** Where a JSON value has which type: `children[].paragraph.rich_text[].text.content: string`. */
import { isObject, type Json } from '../../../support/workspace/json.ts';

/** Their keys are names that people gave. */
const named = new Set(['properties']);

export type Fields = Map<string, Set<string>>;

const typeOf = (value: Json): string =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;

export function gatherFields(fields: Fields, value: Json, path = ''): void {
  if (path !== '') fields.set(path, (fields.get(path) ?? new Set()).add(typeOf(value)));
  if (Array.isArray(value)) for (const item of value) gatherFields(fields, item, `${path}[]`);
  else if (isObject(value)) {
    const anyName = named.has(path.split('.').at(-1) ?? '');
    for (const [key, inner] of Object.entries(value)) {
      gatherFields(fields, inner, `${path === '' ? '' : `${path}.`}${anyName ? '*' : key}`);
    }
  }
}

/** `PATCH /v1/blocks/:id/children` */
export function routeOf(method: string, path: string): string {
  const bare = path.split('?')[0] ?? '';
  const route = bare
    .replace(/[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}/g, ':id')
    .replace(/\/properties\/[^/]+$/, '/properties/:name');
  return `${method} ${route}`;
}
