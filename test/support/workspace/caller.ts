/** Plain HTTP calls to the emulator, for its own tests. */
import { asArray, asObject, asString, type Json, type JsonObject } from './json.ts';

export interface Reply {
  status: number;
  body: JsonObject;
  headers: Headers;
}

export type Ask = (method: string, path: string, body?: Json, version?: string) => Promise<Reply>;

export function caller(url: string, token: string): Ask {
  return async (method, path, body, version = '2025-09-03') => {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        'notion-version': version,
        'content-type': 'application/json',
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: answer.status, body: asObject((await answer.json()) as Json), headers: answer.headers };
  };
}

export const words = (content: string): JsonObject[] => [{ text: { content } }];

export const paragraph = (content: string): JsonObject => ({ paragraph: { rich_text: words(content) } });

export const title = (content: string): JsonObject => ({ title: words(content) });

/** The calls that most tests begin with. */
export function workbench(url: string, token: string, home: string) {
  const ask = caller(url, token);
  const made = (reply: Reply): JsonObject => {
    if (reply.status !== 200)
      throw new Error(`The emulator answered ${reply.status}: ${JSON.stringify(reply.body)}`);
    return reply.body;
  };
  return {
    ask,
    append: (id: string, children: Json[], extra: JsonObject = {}, version?: string) =>
      ask('PATCH', `/v1/blocks/${id}/children`, { children, ...extra }, version),
    newRow: (source: string, properties: JsonObject) =>
      ask('POST', '/v1/pages', { parent: { data_source_id: source }, properties }),
    newPage: async (name: string, parent: string = home, extra: JsonObject = {}): Promise<string> => {
      const body = { parent: { page_id: parent }, properties: { title: title(name) }, ...extra };
      return asString(made(await ask('POST', '/v1/pages', body))['id']);
    },
    newTable: async (properties: JsonObject): Promise<{ database: string; source: string }> => {
      const answer = made(
        await ask('POST', '/v1/databases', {
          parent: { type: 'page_id', page_id: home },
          ...title('Table'),
          initial_data_source: { properties: { Name: { title: {} }, ...properties } },
        }),
      );
      const source = asString(asObject(asArray(answer['data_sources'])[0])['id']);
      return { database: asString(answer['id']), source };
    },
  };
}
