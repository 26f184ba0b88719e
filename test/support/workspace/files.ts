/** Icons, covers and file values: external addresses and attached uploads. */
import { objectAt, onlyKeys, type Call } from './call.ts';
import { invalid, notFound, shouldBe } from './errors.ts';
import { requireId } from './ids.ts';
import { asObject, isObject, type Json, type JsonObject } from './json.ts';
import { settle } from './upload-state.ts';
import type { World } from './world.ts';

export function requireUrl(value: Json | undefined, path: string, refusal: string): string {
  if (typeof value !== 'string') throw shouldBe(path, value === undefined ? 'defined' : 'a string', value);
  if (value.length > 2000) throw shouldBe(`${path}.length`, '≤ `2000`', value.length);
  if (!/^https?:\/\/[^\s/]+/.test(value)) throw invalid(refusal);
  return value;
}

/** Takes the upload out of its expiry. @throws ApiError when it is not there or has no contents yet */
function attach(call: Call, value: Json | undefined, path: string): JsonObject {
  const id = requireId(asObject(value)['id'], `${path}.id`);
  const upload = call.world.state.uploads.get(id);
  if (upload?.bot !== call.bot.id) throw notFound('file_upload', id, call.bot);
  settle(call.world, upload);
  if (upload.status !== 'uploaded') {
    throw invalid(
      `File upload ${id} has a status of ${upload.status}, not uploaded, and cannot be attached.`,
    );
  }
  upload.attached = true;
  return { upload: id };
}

/** Returns the value as it is stored: `{type:"file", file:{upload}}` or `{type:"external", external:{url}}`. */
export function fileValue(call: Call, value: JsonObject, path: string, refusal: string): JsonObject {
  if (value['file_upload'] !== undefined) {
    return { type: 'file', file: attach(call, value['file_upload'], `${path}.file_upload`) };
  }
  const external = value['external'];
  if (external === undefined) throw shouldBe(`${path}.external`, 'defined', external);
  if (!isObject(external)) throw shouldBe(`${path}.external`, 'an object', external);
  return {
    type: 'external',
    external: { url: requireUrl(external['url'], `${path}.external.url`, refusal) },
  };
}

/** Returns the value as an answer has it: an attached upload gets an address that expires in an hour. */
export function showFile(world: World, value: Json): Json {
  if (!isObject(value) || value['type'] !== 'file') return value;
  const upload = asObject(value['file'])['upload'];
  if (typeof upload !== 'string') return value;
  const name = world.state.uploads.get(upload)?.filename ?? 'file';
  const expiry = new Date(world.now() + 3_600_000).toISOString();
  const url = `${world.url}/_files/${upload}/${encodeURIComponent(name)}?expires=${encodeURIComponent(expiry)}`;
  return { ...value, file: { url, expiry_time: expiry } };
}

export function iconValue(call: Call, value: Json, path: string): Json {
  if (value === null) return null;
  const icon = objectAt(value, path);
  if (icon === undefined) return null;
  onlyKeys(icon, ['type', 'emoji', 'external', 'file_upload', 'custom_emoji', 'icon'], path);
  if (icon['emoji'] !== undefined) {
    const emoji = icon['emoji'];
    if (typeof emoji !== 'string' || !/^\p{Emoji}/u.test(emoji) || /^[\w#*]/.test(emoji)) {
      throw shouldBe(`${path}.emoji`, 'a valid emoji', emoji);
    }
    return { type: 'emoji', emoji };
  }
  if (icon['custom_emoji'] !== undefined) return { type: 'custom_emoji', custom_emoji: icon['custom_emoji'] };
  if (icon['icon'] !== undefined) return { type: 'icon', icon: icon['icon'] };
  return nativeIcon(icon) ?? fileValue(call, icon, path, 'Invalid icon url.');
}

/** The address of one of the service's own icons is kept as that icon. */
function nativeIcon(icon: JsonObject): Json | undefined {
  const url = asObject(icon['external'])['url'];
  const found = /^https:\/\/www\.notion\.so\/icons\/([a-z0-9-]+)_([a-z]+)\.svg/.exec(
    typeof url === 'string' ? url : '',
  );
  return found === null ? undefined : { type: 'icon', icon: { name: found[1] ?? '', color: found[2] ?? '' } };
}

export function coverValue(call: Call, value: Json, path: string): Json {
  if (value === null) return null;
  const cover = objectAt(value, path);
  if (cover === undefined) return null;
  onlyKeys(cover, ['type', 'external', 'file_upload'], path);
  return fileValue(call, cover, path, 'Invalid cover url.');
}
