/** Converts the fields of blocks: rich text, icons, files, table cells, references to pages. */
import { readWorkspaceId } from '../../contract/workspace/workspace-id.ts';
import type { JsonObject } from '../../contract/workspace/actions.ts';
import { isObject, objectAt, shown, textAt } from '../json-value.ts';
import type { BlockNotes } from './limits.ts';
import { cleanRichTextItem, isWebUrl, textItem } from './rich-text.ts';

/**
 * Converts a list of rich text objects, or a string, which becomes one run of text. Leaves out invalid items, and adds
 * a problem to the notes for each. For any other value, adds a problem and returns no items. Does not check the lengths
 * of texts.
 * @throws ActionError INVALID_INPUT if the notes have counted too many pieces (see `maxPieces`)
 */
export function cleanRichText(given: unknown, path: string, notes: BlockNotes): JsonObject[] {
  if (typeof given === 'string') return given === '' ? [] : [textItem(given)];
  if (!Array.isArray(given)) {
    notes.problems.push(
      `${path} is ${shown(given)}; give a list of rich text objects such as [{"type":"text","text":{"content":"…"}}]`,
    );
    return [];
  }
  notes.pieces.add(given.length);
  return given.flatMap((item: unknown, index) => {
    const clean = cleanRichTextItem(item);
    if (typeof clean !== 'string') return [clean];
    notes.problems.push(`${path}[${index}] ${clean}`);
    return [];
  });
}

const emoji = /^\p{RGI_Emoji}$/v;

export const isEmoji = (text: string): boolean => emoji.test(text);

/**
 * Converts an icon object, an emoji or a URL.
 * @returns the icon; undefined if none is given, if it is a file that the workspace stores (with a warning, because
 * such a file cannot be sent back), or if it is invalid (with a problem in the notes)
 */
export function cleanIcon(given: unknown, path: string, notes: BlockNotes): JsonObject | undefined {
  if (given === undefined || given === null || given === '') return undefined;
  if (typeof given === 'string') {
    if (isEmoji(given.trim())) return { type: 'emoji', emoji: given.trim() };
    if (isWebUrl(given)) return { type: 'external', external: { url: given } };
  }
  if (isObject(given)) {
    const symbol = textAt(given, 'emoji');
    if (symbol !== undefined) return { type: 'emoji', emoji: symbol };
    const url = textAt(objectAt(given, 'external'), 'url');
    if (url !== undefined && isWebUrl(url)) return { type: 'external', external: { url } };
    for (const type of ['file_upload', 'custom_emoji'] as const) {
      const id = textAt(objectAt(given, type), 'id');
      if (id !== undefined) return { type, [type]: { id } };
    }
    const icon = objectAt(given, 'icon');
    if (icon !== undefined) return { type: 'icon', icon };
    if (objectAt(given, 'file') !== undefined) {
      notes.warnings.push(`${path}: an icon stored in the workspace cannot be copied; it was left out.`);
      return undefined;
    }
  }
  notes.problems.push(
    `${path} is ${shown(given)}; give one emoji, or {"type":"external","external":{"url":"https://…"}}`,
  );
  return undefined;
}

/**
 * Converts the file of a block: `{external: {url}}`, `{file_upload: {id}}` or `{url}`.
 * @returns the file; for anything else {}, with a problem in the notes
 */
export function cleanFile(given: JsonObject, path: string, notes: BlockNotes): JsonObject {
  const upload = textAt(objectAt(given, 'file_upload'), 'id');
  if (upload !== undefined)
    return { type: 'file_upload', file_upload: { id: readWorkspaceId(upload) ?? upload } };
  const url = textAt(objectAt(given, 'external'), 'url') ?? textAt(given, 'url');
  if (url !== undefined && isWebUrl(url)) return { type: 'external', external: { url } };
  if (objectAt(given, 'file') !== undefined) {
    notes.problems.push(
      `${path} is a file stored in the workspace; its address expires. Give an external URL or a file_upload id`,
    );
  } else {
    notes.problems.push(
      `${path} needs an external URL: {"type":"external","external":{"url":"https://…"}}, http or https; got ${shown(url)}`,
    );
  }
  return {};
}

/** Converts table cells. Each cell is a list of rich text objects, one such object, or a string. */
export function cleanCells(given: unknown, path: string, notes: BlockNotes): JsonObject[][] {
  if (!Array.isArray(given)) {
    notes.problems.push(`${path} is ${shown(given)}; give a list of cells`);
    return [];
  }
  return given.map((cell: unknown, index) =>
    cleanRichText(isObject(cell) ? [cell] : cell, `${path}[${index}]`, notes),
  );
}

export function cleanReference(given: JsonObject, path: string, notes: BlockNotes): JsonObject {
  for (const type of ['page_id', 'database_id', 'comment_id'] as const) {
    const id = textAt(given, type);
    if (id !== undefined) return { type, [type]: readWorkspaceId(id) ?? id };
  }
  notes.problems.push(`${path} needs page_id, database_id or comment_id`);
  return {};
}
