/**
 * Converts a value from an agent (text, number, list, object) to the workspace's value for a property. Checks types and
 * options against the schema of the data source.
 */
import type { SchemaProperty } from '../client/answers.ts';
import type { JsonObject } from '../../contract/workspace/actions.ts';
import { limits, newNotes } from '../blocks/limits.ts';
import { isWebUrl, splitRichText, textItem } from '../blocks/rich-text.ts';
import { cleanRichText } from '../blocks/clean-fields.ts';
import { isObject, listAt, objectAt, shown, textAt } from '../json-value.ts';
import { type Converted, readDate, readFiles, readIds } from './values.ts';

export const computedTypes: ReadonlySet<string> = new Set([
  'created_by',
  'created_time',
  'last_edited_by',
  'last_edited_time',
  'last_visited_time',
  'formula',
  'rollup',
  'unique_id',
  'button',
  'verification',
]);

export function optionNames(property: SchemaProperty): string[] {
  return listAt(objectAt(property, property.type), 'options').flatMap(
    (option) => textAt(option, 'name') ?? [],
  );
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string'
    ? value
    : typeof value === 'number' || typeof value === 'boolean'
      ? String(value)
      : (textAt(value, 'name') ?? textAt(value, 'content'));

function readText(value: unknown): Converted {
  const notes = newNotes();
  const items =
    typeof value === 'object' ? cleanRichText(value, 'value', notes) : [textItem(textOf(value) ?? '')];
  if (notes.problems.length > 0) return { problem: notes.problems.join('; ') };
  const split = splitRichText(items);
  if (split.length > limits.richTextItems)
    return { problem: `has more than ${limits.richTextItems} pieces of ${limits.textContent} characters` };
  return { value: split };
}

/** Maximum characters of an integer that is converted to BigInt: the 309 digits of the largest number, and a sign. */
const maxDigits = 310;

function isRounded(text: string): boolean {
  if (!/^[-+]?\d+$/.test(text)) return !Number.isFinite(Number(text)) && /^[-+\d.]+e\+?\d+$/i.test(text);
  return text.length > maxDigits || BigInt(text.replace('+', '')) !== BigInt(Number(text));
}

function readNumber(value: unknown): Converted {
  if (typeof value === 'number')
    return Number.isFinite(value) ? { value } : { problem: `is ${value}; give a number` };
  const given = (textOf(value) ?? '').trim();
  const text = /^[-+]?\d{1,3}(,\d{3})+(\.\d+)?$/.test(given) ? given.replaceAll(',', '') : given;
  if (isRounded(text))
    return {
      problem: `is ${shown(given)}, which would be rounded: a number column keeps integers up to ${Number.MAX_SAFE_INTEGER} to the digit. Use a text column for longer ones`,
    };
  if (/^[-+]?(\d+(?:\.\d*)?|\.\d+)(e[-+]?\d+)?$/i.test(text)) return { value: Number(text) };
  const percent = /^([-+]?\d+(?:\.\d+)?)\s*%$/.exec(text)?.[1];
  if (percent !== undefined) return { value: Number((Number(percent) / 100).toPrecision(15)) };
  return { problem: `is ${shown(value)}; give a number such as 1234.5` };
}

/**
 * Finds the first option whose name is equal if case and white space are ignored.
 * @returns undefined if there is none
 */
export function nearestOption(name: string, options: readonly string[]): string | undefined {
  const plain = (text: string): string => text.replace(/\s+/g, '').toLowerCase();
  return options.find((option) => plain(option) === plain(name));
}

function readOption(name: string, property: SchemaProperty): Converted {
  const options = optionNames(property);
  if (options.includes(name)) return { value: { name } };
  const nearest = nearestOption(name, options);
  const hint =
    nearest === undefined ? '' : `; did you mean ${shown(nearest)}? Option names are case-sensitive`;
  if (property.type === 'status')
    return {
      problem: `is ${shown(name)}, which is not a status of this property. Use one of ${options.map(shown).join(', ')}${hint}`,
    };
  if (name.includes(',')) return { problem: `is ${shown(name)}: Invalid select option, commas not allowed` };
  return {
    value: { name },
    note: `${property.name}: the option ${shown(name)} is new and is added to the database${hint}.`,
  };
}

function readOptions(value: unknown, property: SchemaProperty): Converted {
  const list = Array.isArray(value) ? value : (textOf(value) ?? '').split(',');
  const names = list.map((item: unknown) => (textOf(item) ?? '').trim()).filter((name) => name !== '');
  if (names.length > limits.optionsPerProperty)
    return { problem: `has ${names.length} options; at most ${limits.optionsPerProperty}` };
  const options = names.map((name) => readOption(name, property));
  const problem = options.find((option) => option.problem !== undefined)?.problem;
  if (problem !== undefined) return { problem };
  const notes = options.flatMap((option) => option.note ?? []);
  return {
    value: options.map((option) => option.value),
    ...(notes.length === 0 ? {} : { note: notes.join(' ') }),
  };
}

function readCheckbox(value: unknown): Converted {
  if (typeof value === 'boolean') return { value };
  const text = (textOf(value) ?? '').trim().toLowerCase();
  if (['true', 'yes', '1', 'checked'].includes(text)) return { value: true };
  if (['false', 'no', '0', 'unchecked'].includes(text)) return { value: false };
  return { problem: `is ${shown(value)}; give true or false` };
}

function readShortText(value: unknown, type: string): Converted {
  const text = (textOf(value) ?? '').trim();
  const maxChars = type === 'url' ? limits.url : 200;
  if (text === '' || text.length > maxChars)
    return { problem: `is ${shown(value)}; give 1 to ${maxChars} characters of text` };
  if (type === 'url' && !isWebUrl(text) && !/^[a-z][a-z0-9+.-]*:/i.test(text) && /\s/.test(text))
    return { problem: `is ${shown(value)}; give an address` };
  return { value: text };
}

/** Returns the value that clears a property of this type: an empty list, false for a checkbox, or null. */
function cleared(type: string): unknown {
  if (['title', 'rich_text', 'multi_select', 'people', 'relation', 'files'].includes(type)) return [];
  return type === 'checkbox' ? false : null;
}

const isBlank = (value: unknown): boolean =>
  value === null || value === undefined || (typeof value === 'string' && value.trim() === '');

function byType(value: unknown, property: SchemaProperty): Converted {
  switch (property.type) {
    case 'title':
    case 'rich_text':
      return readText(value);
    case 'number':
      return readNumber(value);
    case 'select':
    case 'status': {
      const name = textOf(value)?.trim();
      return name === undefined
        ? { problem: `is ${shown(value)}; give the option's name` }
        : readOption(name, property);
    }
    case 'multi_select':
      return readOptions(value, property);
    case 'date':
      return readDate(value);
    case 'checkbox':
      return readCheckbox(value);
    case 'people':
      return readIds(value, 'people');
    case 'relation':
      return readIds(value, 'relation');
    case 'files':
      return readFiles(value);
    case 'url':
    case 'email':
    case 'phone_number':
      return readShortText(value, property.type);
    default:
      return isObject(value)
        ? { value }
        : { problem: `has the type ${property.type}; give its value as an object` };
  }
}

/**
 * Returns the inner value of a value in the workspace's form, such as `{"select":{"name":"High"}}`. Returns other
 * values unchanged.
 */
function unwrapNative(value: unknown, type: string): unknown {
  if (!isObject(value) || !Object.hasOwn(value, type)) return value;
  const keys = Object.keys(value).filter((key) => !['id', 'type', 'has_more', 'name'].includes(key));
  return keys.length === 1 ? value[type] : value;
}

/**
 * Converts a value for one property.
 * @param blank `leave_out`: an empty value is left out, as for a new row. `clear`: an empty value clears the property,
 * as for an existing row
 * @returns `property` (the value in the workspace's form) unless the value is left out or invalid, `note` (a warning)
 * if the value adds options or the property is computed, and `problem` (an error message) if the value is invalid
 */
export function convertValue(
  given: unknown,
  property: SchemaProperty,
  blank: 'leave_out' | 'clear',
): { property?: JsonObject; note?: string; problem?: string } {
  const { name, type } = property;
  if (computedTypes.has(type))
    return { note: `${name} has the computed type ${type} and cannot be written; it was left out.` };
  const value = unwrapNative(given, type);
  if (isBlank(value)) return blank === 'leave_out' ? {} : { property: { [type]: cleared(type) } };
  const converted = byType(value, property);
  if (converted.problem !== undefined) return { problem: `${name} ${converted.problem}` };
  return {
    property: { [type]: converted.value },
    ...(converted.note === undefined ? {} : { note: converted.note }),
  };
}
