/** The values of answered writes: what the service makes of a request, beside what the emulator makes of it. */
import { isObject, type Json } from '../json.ts';
import type { Exchange } from './recording.ts';

export interface Values {
  compared: number;
  /** Where it differs → how often, and the first example. */
  differences: Map<string, { count: number; example: string }>;
}

export const noValues = (): Values => ({ compared: 0, differences: new Map() });

/** Of the account, the clock or the chance that made an id; and formulas, which are not computed here. */
const notCompared =
  /^(id|\w+_id|url|\w+_url|href|\w+_time|\w+_by|request_id|next_cursor|plain_text|user|people|display_name|formula|option_ids|groups)$/;

const isWrite = ({ method, path }: Exchange): boolean =>
  method !== 'GET' && !/\/(query|search)$/.test(path.split('?', 1)[0] ?? '');

/** @param recorded the recorded answer with the emulator's ids */
export function compareValues(values: Values, exchange: Exchange, recorded: Json, own: Json): void {
  if (!isWrite(exchange)) return;
  const route = exchange.path.split('?', 1)[0]?.replaceAll(/[0-9a-f-]{32,36}/g, ':id') ?? '';
  compare(values, recorded, own, `${exchange.method} ${route} `);
}

function compare(values: Values, recorded: Json | undefined, own: Json | undefined, path: string): void {
  if (Array.isArray(recorded) && Array.isArray(own) && recorded.length === own.length) {
    for (const [index, each] of recorded.entries()) compare(values, each, own[index], `${path}[]`);
    return;
  }
  if (isObject(recorded) && isObject(own)) {
    for (const [key, each] of Object.entries(recorded))
      if (!notCompared.test(key))
        compare(values, each, own[key], path.endsWith('.properties') ? `${path}.*` : `${path}.${key}`);
    return;
  }
  values.compared += 1;
  if (recorded === own) return;
  const example = `recorded ${cut(recorded)}, emulated ${cut(own)}`;
  const known = values.differences.get(path);
  values.differences.set(path, { count: (known?.count ?? 0) + 1, example: known?.example ?? example });
}

const cut = (value: Json | undefined): string =>
  (value === undefined ? 'nothing' : JSON.stringify(value)).slice(0, 150);
