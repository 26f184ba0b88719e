/** The requests of all 45 actions, field by field, against those that were recorded on the same route. */
import type { Recording } from '../../../support/workspace/corpus/recording.ts';
import type { Json } from '../../../support/workspace/json.ts';
import type { RequestRecord } from '../../../support/workspace/requests.ts';
import { everyAction, rowPlan } from '../support/every-action.ts';
import { Harness } from '../support/workspace-harness.ts';
import { gatherFields, routeOf, type Fields } from './field-shapes.ts';

export interface RequestsCompared {
  requests: number;
  /** On a route that is recorded, with recorded fields of recorded types only. */
  equal: number;
  /** Route → its requests; no recording has it. */
  unrecordedRoutes: Map<string, number>;
  /** Fields of ours that no recording sends on that route. */
  unrecordedFields: Set<string>;
  /** Fields that the recordings send with another type: wrong. */
  otherTypes: Set<string>;
}

async function ownRequests(): Promise<RequestRecord[]> {
  const harness = await Harness.start();
  try {
    const { home, person } = harness.emulator.ids;
    const model = { model: () => Promise.resolve(rowPlan) };
    const { inputs } = await everyAction((id, input) => harness.ok(id, input, model), home, person);
    for (const [id, input] of Object.entries(inputs)) await harness.run(id, input, model);
    return [...harness.emulator.requests];
  } finally {
    await harness.emulator.stop();
  }
}

function fieldsOf(body: Json, query: Record<string, unknown>): Fields {
  const fields: Fields = new Map();
  gatherFields(fields, body);
  for (const name of Object.keys(query)) fields.set(`?${name}`, new Set(['string']));
  return fields;
}

export async function compareRequests(recordings: readonly Recording[]): Promise<RequestsCompared> {
  const recorded = new Map<string, Fields>();
  for (const { method, path, body, status } of recordings.flatMap(({ exchanges }) => exchanges)) {
    if (path === '' || status >= 400) continue;
    const route = routeOf(method, path);
    const known = recorded.get(route) ?? new Map<string, Set<string>>();
    recorded.set(route, known);
    const query = Object.fromEntries(new URL(path, 'http://any').searchParams);
    for (const [field, types] of fieldsOf(body, query))
      known.set(field, new Set([...(known.get(field) ?? []), ...types]));
  }
  const result: RequestsCompared = {
    requests: 0,
    equal: 0,
    unrecordedRoutes: new Map(),
    unrecordedFields: new Set(),
    otherTypes: new Set(),
  };
  for (const { method, path, body, query } of await ownRequests()) {
    const route = routeOf(method, path);
    const known = recorded.get(route);
    result.requests += 1;
    if (known === undefined) {
      result.unrecordedRoutes.set(route, (result.unrecordedRoutes.get(route) ?? 0) + 1);
      continue;
    }
    let equal = true;
    for (const [field, types] of fieldsOf(body, query)) {
      const seen = known.get(field);
      const odd = [...types].filter((type) => seen?.has(type) === false);
      if (seen !== undefined && odd.length === 0) continue;
      equal = false;
      if (seen === undefined) result.unrecordedFields.add(`${route} ${field}`);
      else result.otherTypes.add(`${route} ${field}: ${odd.join()} (recorded ${[...seen].join()})`);
    }
    if (equal) result.equal += 1;
  }
  return result;
}
