/** Every recorded answer through the schema that reads it, and through what a model is shown: nothing may be lost. */
import type { ZodType } from 'zod';
import {
  blockAnswer,
  blockList,
  commentAnswer,
  commentList,
  databaseAnswer,
  dataSourceAnswer,
  fileUploadAnswer,
  fileUploadList,
  markdownAnswer,
  pageAnswer,
  pageList,
  propertyAnswer,
  templateList,
  userAnswer,
  userList,
} from '../../../../src/workspace/client/answers.ts';
import { compact } from '../../../../src/workspace/compact.ts';
import type { Recording } from '../../../support/workspace/corpus/recording.ts';
import { asObject, isObject, type Json, type JsonObject } from '../../../support/workspace/json.ts';
import { routeOf } from './field-shapes.ts';

const readers: Record<string, ZodType> = {
  'GET /v1/blocks/:id': blockAnswer,
  'PATCH /v1/blocks/:id': blockAnswer,
  'DELETE /v1/blocks/:id': blockAnswer,
  'GET /v1/blocks/:id/children': blockList,
  'PATCH /v1/blocks/:id/children': blockList,
  'POST /v1/pages': pageAnswer,
  'GET /v1/pages/:id': pageAnswer,
  'PATCH /v1/pages/:id': pageAnswer,
  'POST /v1/pages/:id/move': pageAnswer,
  'GET /v1/pages/:id/markdown': markdownAnswer,
  'GET /v1/pages/:id/properties/:name': propertyAnswer,
  'POST /v1/databases': databaseAnswer,
  'GET /v1/databases/:id': databaseAnswer,
  'GET /v1/data_sources/:id': dataSourceAnswer,
  'POST /v1/data_sources/:id/query': pageList,
  'GET /v1/data_sources/:id/templates': templateList,
  'POST /v1/search': pageList,
  'POST /v1/comments': commentAnswer,
  'GET /v1/comments': commentList,
  'GET /v1/comments/:id': commentAnswer,
  'GET /v1/users': userList,
  'GET /v1/users/:id': userAnswer,
  'GET /v1/users/me': userAnswer,
  'POST /v1/file_uploads': fileUploadAnswer,
  'GET /v1/file_uploads': fileUploadList,
  'GET /v1/file_uploads/:id': fileUploadAnswer,
  'POST /v1/file_uploads/:id/send': fileUploadAnswer,
  'POST /v1/file_uploads/:id/complete': fileUploadAnswer,
};
/** From this version on an answer has the shapes that are read; older ones are of an API that is not spoken. */
const spoken = ['2025-09-03', '2026-03-11'];

export interface AnswersCompared {
  read: number;
  values: number;
  otherRoutes: Map<string, number>;
  otherVersions: number;
  unreadable: string[];
  lost: Map<string, number>;
}

type Leaf = { path: string; value: Json; holder: JsonObject };

function* leaves(value: Json, path: string, holder: JsonObject): Generator<Leaf> {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* leaves(item, `${path}[${index}]`, holder);
  } else if (isObject(value)) {
    for (const [key, inner] of Object.entries(value)) yield* leaves(inner, `${path}.${key}`, value);
  } else yield { path, value, holder };
}

/** What compact() promises to leave out: what says nothing, and what is said already. */
function saysNothing({ path, value, holder }: Leaf): boolean {
  const key = path.split('.').at(-1) ?? '';
  if (key === 'request_id' || value === null) return true;
  if (/\.annotations\.\w+$/.test(path)) return value === false || value === 'default';
  const text = asObject(holder['text'] ?? {});
  if (key === 'plain_text') return text['content'] === value;
  if (key === 'href') return asObject(text['link'] ?? {})['url'] === value;
  return false;
}

const paths = (value: Json): Map<string, Json> =>
  new Map([...leaves(value, '', {})].map((leaf) => [leaf.path, leaf.value]));

export function compareAnswers(recordings: readonly Recording[]): AnswersCompared {
  const result: AnswersCompared = {
    ...{ read: 0, values: 0, otherVersions: 0, unreadable: [] },
    ...{ otherRoutes: new Map(), lost: new Map() },
  };
  for (const { name, exchanges } of recordings) {
    for (const { method, path, status, answer, version } of exchanges) {
      if (path === '' || status >= 300) continue;
      const route = routeOf(method, path);
      const reader = readers[route];
      if (reader === undefined) {
        result.otherRoutes.set(route, (result.otherRoutes.get(route) ?? 0) + 1);
        continue;
      }
      if (!spoken.includes(version)) {
        result.otherVersions += 1;
        continue;
      }
      const parsed = reader.safeParse(answer);
      if (!parsed.success) {
        const { path: where, message } = parsed.error.issues[0]!;
        result.unreadable.push(`${name}: ${route} ${where.join('.')}: ${message}`);
        continue;
      }
      result.read += 1;
      const read = paths(parsed.data as Json);
      const shown = paths(compact(parsed.data) as Json);
      for (const leaf of leaves(answer, '', {})) {
        result.values += 1;
        const whole = read.get(leaf.path) === leaf.value;
        if (whole && (shown.get(leaf.path) === leaf.value || saysNothing(leaf))) continue;
        const place = `${route} ${leaf.path.replace(/\[\d+\]/g, '[]')}`;
        result.lost.set(place, (result.lost.get(place) ?? 0) + 1);
      }
    }
  }
  return result;
}
