/** Objects that a recording uses but does not create: made in the emulator in the form its answers show. */
import type { WorkspaceEmulator } from '../emulator.ts';
import { dashed } from '../ids.ts';
import { asArray, asObject, asString, isObject, type Json, type JsonObject } from '../json.ts';
import type { IdMap } from './id-map.ts';
import type { RecordedObjects } from './recorded-objects.ts';
import type { Exchange } from './recording.ts';

export type Send = (
  method: string,
  path: string,
  version: string,
  body: Json,
) => Promise<{ status: number; answer: Json }>;

const named =
  /(?:(pages|blocks|databases|data_sources|users)\/|"(\w*id)": ?"|(block_id)=)([0-9a-f-]{32,36})/gi;

export class StandIns {
  readonly #emulator: WorkspaceEmulator;
  readonly #ids: IdMap;
  readonly #recorded: RecordedObjects;
  readonly #send: Send;
  made = 0;

  constructor(emulator: WorkspaceEmulator, ids: IdMap, recorded: RecordedObjects, send: Send) {
    this.#emulator = emulator;
    this.#ids = ids;
    this.#recorded = recorded;
    this.#send = send;
  }

  /** Makes whatever this request names and nothing made before. */
  async prepare(exchange: Exchange): Promise<void> {
    const text = `${exchange.path} ${JSON.stringify(exchange.body)}`;
    for (const [, path, key, query, raw] of text.matchAll(named)) {
      if (exchange.status >= 400 && path !== undefined) continue;
      await this.#own(dashed(raw ?? ''), path ?? key ?? query ?? '', exchange.version);
    }
  }

  /** The emulator's id for a recorded one. */
  async #own(id: string, place: string, version: string): Promise<string> {
    if (!this.#ids.has(id)) {
      this.made += 1;
      await this.#make(id, place, version);
    }
    return this.#ids.get(id) ?? id;
  }

  async #make(id: string, place: string, version: string): Promise<void> {
    const shown = this.#recorded.objects.get(id);
    const kind = asString(shown?.['object']);
    const is = (object: string, ...places: string[]) =>
      kind === object || (kind === '' && places.includes(place));
    if (place === 'discussion_id') await this.#discussion(id, version);
    else if (is('user', 'users', 'id')) this.#ids.set(id, this.#emulator.ids.member);
    else if (is('data_source', 'data_source_id', 'data_sources')) await this.#source(id, shown, version);
    else if (is('database', 'database_id', 'databases')) await this.#database(id, shown, version);
    else if (kind === 'block' && !asString(shown?.['type']).startsWith('child_'))
      await this.#append([shown ?? {}], this.#emulator.ids.home, version);
    else await this.#page(id, shown, version);
  }

  async #discussion(id: string, version: string): Promise<void> {
    const on = this.#recorded.discussions.get(id);
    const parent = on === undefined ? this.#emulator.ids.home : await this.#own(on, 'block_id', version);
    const body = { parent: { block_id: parent }, rich_text: [{ text: { content: 'stand-in' } }] };
    const { answer } = await this.#send('POST', '/v1/comments', version, body);
    this.#ids.set(id, asString(asObject(answer)['discussion_id']));
  }

  async #page(id: string, shown: JsonObject | undefined, version: string): Promise<void> {
    const source = asString(asObject(shown?.['parent'])['data_source_id']);
    const parent =
      source === ''
        ? { page_id: this.#emulator.ids.home }
        : { data_source_id: await this.#own(source, 'data_source_id', version) };
    const { answer } = await this.#send('POST', '/v1/pages', version, { parent, properties: {} });
    const own = asString(asObject(answer)['id']);
    this.#ids.set(id, own);
    const properties: JsonObject = {};
    for (const [name, value] of Object.entries(asObject(shown?.['properties']))) {
      const request = await this.#value(asObject(value), version);
      if (request !== undefined) properties[name] = request;
    }
    await this.#send('PATCH', `/v1/pages/${own}`, version, { properties });
    await this.#append(this.#recorded.children.get(id) ?? [], own, version);
  }

  /** An answered property value as a request; computed and people values are left out. */
  async #value(shown: JsonObject, version: string): Promise<Json | undefined> {
    const type = asString(shown['type']);
    const value = shown[type] ?? null;
    if (['title', 'rich_text'].includes(type)) return { [type]: requestText(value) };
    if (['number', 'checkbox', 'url', 'email', 'phone_number', 'date', 'place'].includes(type))
      return { [type]: value };
    if (['select', 'status'].includes(type))
      return isObject(value) ? { [type]: { name: value['name'] ?? '' } } : undefined;
    if (type === 'multi_select')
      return { [type]: asArray(value).map((each) => ({ name: asObject(each)['name'] ?? '' })) };
    if (type !== 'relation') return undefined;
    const related: Json[] = [];
    for (const each of asArray(value))
      related.push({ id: await this.#own(asString(asObject(each)['id']), 'pages', version) });
    return { relation: related };
  }

  async #database(id: string, shown: JsonObject | undefined, version: string): Promise<void> {
    const source = asString(asObject(asArray(shown?.['data_sources'])[0])['id']);
    await this.#create(id, source, this.#recorded.objects.get(source), shown, version);
  }

  async #source(id: string, shown: JsonObject | undefined, version: string): Promise<void> {
    const database = asString(asObject(shown?.['parent'])['database_id']);
    await this.#create(database, id, shown, this.#recorded.objects.get(database), version);
  }

  async #create(
    database: string,
    source: string,
    columns: JsonObject | undefined,
    shown: JsonObject | undefined,
    version: string,
  ): Promise<void> {
    const { answer } = await this.#send('POST', '/v1/databases', version, {
      parent: { type: 'page_id', page_id: this.#emulator.ids.home },
      title: requestText(shown?.['title'] ?? columns?.['title']),
    });
    const own = asString(asObject(asArray(asObject(answer)['data_sources'])[0])['id']);
    if (database !== '') this.#ids.set(database, asString(asObject(answer)['id']));
    if (source !== '') this.#ids.set(source, own);
    for (const [name, column] of Object.entries(asObject(columns?.['properties']))) {
      const change = await this.#column(name, asObject(column), version);
      if (change !== undefined)
        await this.#send('PATCH', `/v1/data_sources/${own}`, version, { properties: change });
    }
    const made = await this.#send('GET', `/v1/data_sources/${own}`, version, null);
    if (columns !== undefined) this.#ids.learn(columns, made.answer);
  }

  /** Rollups and types that cannot be created are left out; dual relations become single ones. */
  async #column(name: string, column: JsonObject, version: string): Promise<JsonObject | undefined> {
    const type = asString(column['type']);
    if (['rollup', 'verification', 'button'].includes(type)) return undefined;
    if (type === 'title') return { title: { name } };
    if (type !== 'relation') return { [name]: { type, [type]: column[type] ?? {} } };
    const target = await this.#own(
      asString(asObject(column['relation'])['data_source_id']),
      'data_source_id',
      version,
    );
    return { [name]: { type, relation: { data_source_id: target, single_property: {} } } };
  }

  async #append(blocks: readonly JsonObject[], parent: string, version: string): Promise<void> {
    for (const block of blocks) {
      const id = asString(block['id']);
      if (this.#ids.has(id)) continue;
      const type = asString(block['type']);
      if (type === 'child_page') {
        await this.#own(id, 'pages', version);
        continue;
      }
      const { status, answer } = await this.#send('PATCH', `/v1/blocks/${parent}/children`, version, {
        children: [this.#request(block)],
      });
      if (status !== 200) continue;
      const own = asString(asObject(asArray(asObject(answer)['results'])[0])['id']);
      this.#ids.set(id, own);
      await this.#below(id, own, version);
    }
  }

  /** Tables and columns come with their children; all others get them afterwards. */
  #request(block: JsonObject): JsonObject {
    const type = asString(block['type']);
    const given = asObject(block[type]);
    const shown =
      given['type'] === 'file'
        ? { caption: given['caption'] ?? [], external: { url: 'https://example.com/file' } }
        : given;
    const kept = Object.entries(shown).filter(([key, value]) => value !== null && key !== 'icon');
    const content = Object.fromEntries(kept.map(([key, value]) => [key, requestContent(key, value)]));
    if (!['table', 'column_list', 'column'].includes(type)) return { type, [type]: content };
    const children = (this.#recorded.children.get(asString(block['id'])) ?? []).map((child) =>
      this.#request(child),
    );
    return { type, [type]: { ...content, children } };
  }

  async #below(id: string, own: string, version: string): Promise<void> {
    const children = this.#recorded.children.get(id) ?? [];
    const { answer } = await this.#send('GET', `/v1/blocks/${own}/children?page_size=100`, version, null);
    const existing = asArray(asObject(answer)['results']).map(asObject);
    if (existing.length === 0) {
      await this.#append(children, own, version);
      return;
    }
    for (const [index, child] of children.entries()) {
      const mine = asString(existing[index]?.['id']);
      this.#ids.set(asString(child['id']), mine);
      await this.#below(asString(child['id']), mine, version);
    }
  }
}

/** Files of the service have addresses that expired long ago: any address stands in. */
function requestContent(key: string, value: Json): Json {
  if (key === 'rich_text' || key === 'caption') return requestText(value);
  if (key === 'cells') return asArray(value).map(requestText);
  return value;
}

/** Answered rich text as a request: mentions, whose objects are not there, become text. */
function requestText(value: Json | undefined): Json {
  return asArray(value).map((item) => {
    const { type, annotations = {}, equation = null, plain_text: words = '' } = asObject(item);
    if (type === 'equation') return { equation, annotations };
    const { link = null } = asObject(asObject(item)['text']);
    return { text: { content: words, link }, annotations };
  });
}
