/** The small workspace of the command: one page with text, one database with rows, made through the API itself. */
import type { WorkspaceEmulator } from './emulator.ts';
import { asArray, asObject, asString, type Json, type JsonObject } from './json.ts';

export interface Demo {
  page: string;
  pageTitle: string;
  database: string;
  databaseTitle: string;
}

const pageTitle = 'Team handbook';
const databaseTitle = 'Tasks';

export async function demoWorkspace(emulator: WorkspaceEmulator): Promise<Demo> {
  const post = async (path: string, body: JsonObject): Promise<JsonObject> => {
    const answer = await fetch(`${emulator.url}${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${emulator.tokens.main}`,
        'notion-version': '2025-09-03',
        'content-type': 'application/json',
      },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
    return asObject((await answer.json()) as Json);
  };
  const title = (content: string): JsonObject => ({ title: [{ text: { content } }] });
  const page = await post('/v1/pages', {
    parent: { page_id: emulator.ids.home },
    properties: { title: title(pageTitle) },
    markdown:
      '## Start here\nWelcome. Ask the agent to add a task, to search, or to rewrite this page.\n- Read this page\n- [ ] Add a task',
  });
  const database = await post('/v1/databases', {
    parent: { type: 'page_id', page_id: emulator.ids.home },
    ...title(databaseTitle),
    initial_data_source: {
      properties: {
        Name: { title: {} },
        Status: { status: {} },
        Priority: {
          select: {
            options: [
              { name: 'High', color: 'red' },
              { name: 'Low', color: 'gray' },
            ],
          },
        },
        Due: { date: {} },
        Done: { checkbox: {} },
      },
    },
  });
  const source = asString(asObject(asArray(database['data_sources'])[0])['id']);
  for (const [name, priority] of [
    ['Write the release notes', 'High'],
    ['Tidy the archive', 'Low'],
  ] as const) {
    await post('/v1/pages', {
      parent: { type: 'data_source_id', data_source_id: source },
      properties: { Name: title(name), Priority: { select: { name: priority } } },
    });
  }
  emulator.requests.length = 0;
  return { page: asString(page['id']), pageTitle, database: asString(database['id']), databaseTitle };
}
