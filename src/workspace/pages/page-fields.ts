/** Converts fields of pages and databases: title, icon, cover. */
import type { PageAnswer } from '../client/answers.ts';
import type { JsonObject } from '../../contract/workspace/actions.ts';
import { newNotes } from '../blocks/limits.ts';
import { cleanIcon, isEmoji } from '../blocks/clean-fields.ts';
import { isWebUrl, plainText, splitRichText, textItem } from '../blocks/rich-text.ts';
import { invalidInput } from '../failures.ts';
import { objectAt, shown, textAt } from '../json-value.ts';

export const titleText = (title: string): JsonObject[] =>
  title === '' ? [] : splitRichText([textItem(title)]);

export function titleItems(page: PageAnswer): unknown {
  return Object.values(page.properties).find((property) => property.type === 'title')?.['title'];
}

export const titleOf = (page: PageAnswer): string => plainText(titleItems(page));

/** Converts an emoji to an icon object. @throws ActionError INVALID_INPUT if the text is not exactly one emoji */
export function emojiOf(icon: string | undefined): JsonObject | undefined {
  if (icon === undefined) return undefined;
  if (!isEmoji(icon.trim())) throw invalidInput(`icon is ${shown(icon)}; give a single emoji`);
  return { type: 'emoji', emoji: icon.trim() };
}

/** Converts a URL to a cover object. @throws ActionError INVALID_INPUT if it is not an http or https URL */
export function coverOf(cover: string | undefined): JsonObject | undefined {
  if (cover === undefined) return undefined;
  if (!isWebUrl(cover))
    throw invalidInput(`cover is ${shown(cover)}; give a publicly accessible http or https URL of an image`);
  return { type: 'external', external: { url: cover } };
}

/**
 * Converts an icon object, an emoji or a URL.
 * @returns the icon; undefined if none is given
 * @throws ActionError INVALID_INPUT for an invalid icon, and for a file that the workspace stores
 */
export function iconObject(given: unknown): JsonObject | undefined {
  const notes = newNotes();
  const icon = cleanIcon(given, 'icon', notes);
  const [problem] = [...notes.problems, ...notes.warnings];
  if (problem !== undefined) throw invalidInput(problem);
  return icon;
}

/**
 * Converts a cover: `{external:{url}}`, `{file_upload:{id}}` or a URL.
 * @returns the cover; undefined if none is given
 * @throws ActionError INVALID_INPUT for any other value
 */
export function coverObject(given: unknown): JsonObject | undefined {
  if (given === undefined) return undefined;
  const url = typeof given === 'string' ? given : textAt(objectAt(given, 'external'), 'url');
  if (url !== undefined) return coverOf(url);
  const upload = textAt(objectAt(given, 'file_upload'), 'id');
  if (upload === undefined)
    throw invalidInput(
      `cover is ${shown(given)}; give {"external":{"url":"https://…"}} or {"file_upload":{"id":"…"}}`,
    );
  return { type: 'file_upload', file_upload: { id: upload } };
}

/**
 * @returns the icon or cover in a form that another page accepts; undefined if there is none, if it is a file that the
 * workspace stores, or if its form is unknown
 */
export const copyable = (value: unknown): JsonObject | undefined => cleanIcon(value, '', newNotes());

const countOf = (value: unknown): number => (Array.isArray(value) ? value.length : 0);

/**
 * @returns the names of the properties whose values may be incomplete, because the workspace returns at most 25
 * references per property of a page
 */
export function truncatedProperties(page: PageAnswer): string[] {
  return Object.entries(page.properties)
    .filter(
      ([, property]) =>
        property['has_more'] === true ||
        ['title', 'rich_text', 'people', 'relation'].some(
          (type) => property.type === type && countOf(property[type]) === 25,
        ),
    )
    .map(([name]) => name);
}

export function withTruncation(page: PageAnswer): JsonObject {
  const names = truncatedProperties(page);
  return names.length === 0
    ? page
    : {
        ...page,
        truncated_properties: names,
        hint: 'These properties may hold more than is shown: read each with DOCS_GET_PAGE_PROPERTY_ACTION.',
      };
}
