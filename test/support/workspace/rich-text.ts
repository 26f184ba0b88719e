/** Rich text: what a request may hold, what is kept, what is answered. */
import { isDeepStrictEqual } from 'node:util';
import { onlyKeys, type Call } from './call.ts';
import { dateValue } from './dates.ts';
import { invalid, shouldBe } from './errors.ts';
import { requireId } from './ids.ts';
import { asArray, asObject, asString, isObject, type Json, type JsonObject } from './json.ts';
import { showUser } from './user-answer.ts';
import type { World } from './world.ts';

const colors = ['default', 'gray', 'brown', 'orange', 'yellow', 'green', 'blue', 'purple', 'pink', 'red'];
export const apiColors = [...colors, ...colors.map((color) => `${color}_background`)];

const plain = {
  bold: false,
  italic: false,
  strikethrough: false,
  underline: false,
  code: false,
  color: 'default',
};

/** @throws ApiError with the path of the first element that does not fit */
export function richText(call: Call, value: Json | undefined, path: string): Json[] {
  if (value === undefined) throw shouldBe(path, 'defined', value);
  if (!Array.isArray(value)) throw shouldBe(path, 'an array', value);
  if (value.length > 100) throw shouldBe(`${path}.length`, '≤ `100`', value.length);
  return joined(
    value
      .map((item, index) => element(call, item, `${path}[${index}]`))
      .filter((item) => item['type'] !== 'text' || asObject(item['text'])['content'] !== ''),
  );
}

/** Neighbours of the same style and link become one element, which may be longer than a request may send. */
function joined(items: readonly JsonObject[]): Json[] {
  const kept: JsonObject[] = [];
  for (const item of items) {
    const before = kept.at(-1);
    const [text, textBefore] = [asObject(item['text']), asObject(before?.['text'])];
    const same = (key: string) => isDeepStrictEqual(before?.[key], item[key]);
    const continues =
      item['type'] === 'text' &&
      same('type') &&
      same('annotations') &&
      isDeepStrictEqual(textBefore['link'], text['link']);
    if (!continues) kept.push(item);
    else
      kept[kept.length - 1] = {
        ...item,
        text: { ...text, content: asString(textBefore['content']) + asString(text['content']) },
      };
  }
  return kept;
}

function element(call: Call, item: Json, path: string): JsonObject {
  if (!isObject(item)) throw shouldBe(path, 'an object', item);
  onlyKeys(item, ['type', 'text', 'mention', 'equation', 'annotations', 'plain_text', 'href'], path);
  const annotations = styling(item['annotations'], `${path}.annotations`);
  if (item['mention'] !== undefined) {
    return { type: 'mention', mention: mention(call, item['mention'], `${path}.mention`), annotations };
  }
  if (item['equation'] !== undefined) {
    return {
      type: 'equation',
      equation: { expression: expression(item['equation'], `${path}.equation`) },
      annotations,
    };
  }
  const text = item['text'];
  if (text === undefined) throw shouldBe(`${path}.text`, 'defined', text);
  if (!isObject(text)) throw shouldBe(`${path}.text`, 'an object', text);
  onlyKeys(text, ['content', 'link'], `${path}.text`);
  const content = text['content'];
  if (typeof content !== 'string') {
    throw shouldBe(`${path}.text.content`, content === undefined ? 'defined' : 'a string', content);
  }
  if (content.length > 2000) throw shouldBe(`${path}.text.content.length`, '≤ `2000`', content.length);
  return { type: 'text', text: { content, link: link(text['link'], `${path}.text.link`) }, annotations };
}

export function expression(value: Json | undefined, path: string): string {
  const got = asObject(value)['expression'];
  if (typeof got !== 'string')
    throw shouldBe(`${path}.expression`, got === undefined ? 'defined' : 'a string', got);
  if (got.length > 1000) throw shouldBe(`${path}.expression.length`, '≤ `1000`', got.length);
  return got;
}

function link(value: Json | undefined, path: string): Json {
  if (value === undefined || value === null) return null;
  if (!isObject(value)) throw shouldBe(path, 'an object, `null` or `undefined`', value);
  const url = value['url'];
  if (typeof url !== 'string') throw shouldBe(`${path}.url`, url === undefined ? 'defined' : 'a string', url);
  if (url.length > 2000) throw shouldBe(`${path}.url.length`, '≤ `2000`', url.length);
  if (!/^(https?:\/\/[^\s/]|mailto:|tel:|\/)/.test(url)) throw invalid('Invalid URL for link.');
  return { url };
}

function styling(value: Json | undefined, path: string): JsonObject {
  if (value === undefined) return { ...plain };
  if (!isObject(value)) throw shouldBe(path, 'an object or `undefined`', value);
  onlyKeys(value, Object.keys(plain), path);
  for (const [key, got] of Object.entries(value)) {
    if (key === 'color' ? typeof got !== 'string' || !apiColors.includes(got) : typeof got !== 'boolean') {
      const wanted = key === 'color' ? apiColors.map((color) => `\`"${color}"\``).join(', ') : 'a boolean';
      throw shouldBe(`${path}.${key}`, wanted, got);
    }
  }
  return { ...plain, ...value };
}

function mention(call: Call, value: Json, path: string): JsonObject {
  if (!isObject(value)) throw shouldBe(path, 'an object', value);
  for (const kind of ['user', 'page', 'database', 'data_source']) {
    if (value[kind] !== undefined) {
      return { type: kind, [kind]: { id: requireId(asObject(value[kind])['id'], `${path}.${kind}.id`) } };
    }
  }
  if (value['date'] !== undefined) {
    return { type: 'date', date: dateValue(value['date'], `${path}.date`, 'mention') };
  }
  for (const kind of ['custom_emoji', 'template_mention', 'link_mention']) {
    if (value[kind] !== undefined) return { type: kind, [kind]: value[kind] };
  }
  throw shouldBe(`${path}.user`, 'defined', undefined);
}

/** The words of kept or answered rich text. */
export function plainText(world: World, items: readonly Json[]): string {
  return showRichText(world, items)
    .map((item) => asString(asObject(item)['plain_text']))
    .join('');
}

export function showRichText(world: World, items: readonly Json[]): Json[] {
  return items.map((item) => {
    const kept = asObject(item);
    const type = asString(kept['type']);
    const seen = type === 'mention' ? showMention(world, asObject(kept['mention'])) : undefined;
    const text = asObject(kept['text']);
    const url = asObject(text['link'])['url'] ?? null;
    const words =
      seen?.words ??
      asString(type === 'equation' ? asObject(kept['equation'])['expression'] : text['content']);
    return {
      type,
      [type]: seen?.mention ?? kept[type] ?? {},
      annotations: kept['annotations'] ?? { ...plain },
      plain_text: words,
      href: seen === undefined ? url : seen.href,
    };
  });
}

function showMention(world: World, kept: JsonObject): { mention: JsonObject; words: string; href: Json } {
  const type = asString(kept['type']);
  const inner = asObject(kept[type]);
  const id = asString(inner['id']);
  if (type === 'user') {
    const user = showUser(world, id);
    const words = `@${asString(user['name']) || 'Anonymous'}`;
    return { mention: { type, user }, words, href: null };
  }
  if (type === 'date') {
    const end = inner['end'] === null ? '' : ` → ${asString(inner['end'])}`;
    return { mention: kept, words: `${asString(inner['start'])}${end}`, href: null };
  }
  if (type === 'custom_emoji') return { mention: kept, words: `:${asString(inner['name'])}:`, href: null };
  const entity = world.state.entities.get(id);
  const title =
    entity?.kind === 'page' ? asArray(entity.values['title']) : entity?.kind === 'block' ? [] : entity?.title;
  const words = title === undefined || title.length === 0 ? 'Untitled' : plainText(world, title);
  return { mention: kept, words, href: `https://www.notion.so/${id.replaceAll('-', '')}` };
}
