/**
 * Converts the input from a model to the form of the schema. Resolves aliases, parses objects and lists that are given
 * as JSON text (encoded once or twice), converts numbers and booleans that are given as text, drops empty values that
 * mean "absent", and leaves out unknown parameters with a warning.
 */
import { type JsonObject, maxListItems, maxText } from '../contract/workspace/actions.ts';
import type { Action } from './define-action.ts';
import { invalidInput } from './failures.ts';
import { isObject, listAt, objectAt, shown, textAt } from './json-value.ts';

function typesOf(schema: JsonObject | undefined): Set<string> {
  const own = textAt(schema, 'type');
  const found = new Set(own === undefined ? [] : [own]);
  for (const option of listAt(schema, 'anyOf'))
    if (isObject(option)) for (const type of typesOf(option)) found.add(type);
  return found;
}

/** Renames aliases to their parameters. @throws ActionError INVALID_INPUT if both are given with different values */
function withoutAliases(given: JsonObject, aliases: Action['aliases']): JsonObject {
  const input: Record<string, unknown> = Object.fromEntries(
    Object.entries(given).filter(([name]) => !Object.hasOwn(aliases, name)),
  );
  for (const [alias, name] of Object.entries(aliases)) {
    const value = given[alias];
    if (isAbsent(value)) continue;
    const other = input[name];
    if (!isAbsent(other) && JSON.stringify(other) !== JSON.stringify(value)) {
      throw invalidInput(`${alias} is another name of ${name}, and their values differ: give one of them`);
    }
    input[name] = value;
  }
  return input;
}

const isAbsent = (value: unknown): boolean => value === undefined || value === null;

/** @throws ActionError INVALID_INPUT that names the path, if the text is not JSON */
function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'not JSON';
    throw invalidInput(
      `${path} is text that looks like JSON and does not parse (${reason}): ${shown(text)}. Give the ${text.startsWith('[') ? 'list' : 'object'} itself`,
    );
  }
}

/**
 * Parses JSON text up to twice, because some callers encode their JSON twice. Returns other values unchanged.
 * @throws ActionError INVALID_INPUT if text that looks like JSON does not parse
 */
function unwrap(value: unknown, path: string): unknown {
  let current = value;
  for (let times = 0; times < 2; times += 1) {
    if (typeof current !== 'string' || !/^\s*[[{"]/.test(current)) break;
    current = parseJson(current, path);
  }
  return current;
}

/**
 * Parses a value that may be JSON or plain text. Text that starts with `{` must be JSON. Text that starts with `[` and
 * is not JSON stays text, because it may be Markdown, such as a link or a task.
 * @throws ActionError INVALID_INPUT if text that starts with `{` does not parse
 */
function unwrapOrText(value: unknown, path: string): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
  if (/^\s*\{/.test(value)) return unwrap(value, path);
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

/**
 * Reads an object or a list, which may be JSON text.
 * @throws ActionError INVALID_INPUT if text that must be JSON does not parse, or if an object has the key `__proto__`
 */
function readStructure(value: unknown, types: ReadonlySet<string>, path: string): unknown {
  const read = types.has('string') ? unwrapOrText(value, path) : unwrap(value, path);
  if (isObject(read) && Object.hasOwn(read, '__proto__'))
    throw invalidInput(
      `${path}: a map cannot hold the name __proto__; give a list such as [{"name":"__proto__","value":"…"}]`,
    );
  if (!Array.isArray(read) || !types.has('array')) return read;
  return read.map((item: unknown, index) => unwrapOrText(item, `${path}[${index}]`));
}

function readScalar(value: string, types: ReadonlySet<string>): unknown {
  const text = value.trim();
  if (types.has('boolean') && /^(true|false)$/i.test(text)) return text.toLowerCase() === 'true';
  if ((types.has('integer') || types.has('number')) && /^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  return value;
}

/**
 * True if the value counts as absent: null, blank text for an optional parameter, and a start_cursor that is blank,
 * "null", "None" or "undefined", which some callers send.
 */
function isLeftOut(name: string, value: unknown, required: boolean): boolean {
  if (value === null) return true;
  if (typeof value !== 'string') return false;
  if (name === 'start_cursor' && /^(null|none|undefined)?$/i.test(value.trim())) return true;
  return value.trim() === '' && !required;
}

/**
 * Converts the input of an action to the form of its schema. Leaves out unknown parameters, with a warning for each.
 * @throws ActionError INVALID_INPUT if JSON text does not parse, if two names of a parameter have different values, if
 * an object has the key `__proto__`, or if the input is not an object or is too large
 */
export function readInput(action: Action, given: unknown): { input: JsonObject; warnings: string[] } {
  const whole = unwrap(given ?? {}, 'input');
  if (!isObject(whole))
    throw invalidInput(`the input is ${shown(whole)}; give an object with the action's parameters`);
  for (const [name, value] of Object.entries(whole)) checkSize(name, value);
  const properties = objectAt(action.inputSchema, 'properties') ?? {};
  const required = new Set(listAt(action.inputSchema, 'required'));
  const warnings: string[] = [];
  const input: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(withoutAliases(whole, action.aliases))) {
    const schema = objectAt(properties, name);
    if (schema === undefined && !Object.hasOwn(properties, name)) {
      warnings.push(`The parameter ${name} is not known to ${action.id} and was ignored.`);
      continue;
    }
    if (isLeftOut(name, value, required.has(name))) continue;
    const types = typesOf(schema);
    if (types.has('array') || types.has('object')) {
      input[name] = readStructure(value, types, name);
      // Checks the size again, because the value may have been JSON text before.
      checkSize(name, input[name]);
    } else if (typeof value === 'string' && !types.has('string')) input[name] = readScalar(value, types);
    else input[name] = value;
  }
  return { input, warnings };
}

/**
 * Maximum depth of nested JSON. Chosen: blocks are nested a few levels deep, and each of these levels takes three
 * levels of JSON.
 */
const maxLevels = 64;
const maxValues = 500_000;

/**
 * Checks the size and the nesting of a parameter. Ignores a parameter that is text, because the schema limits texts.
 * Uses no recursion, so that deep nesting cannot overflow the stack.
 * @throws ActionError INVALID_INPUT that names the parameter and the limit
 */
function checkSize(name: string, given: unknown): void {
  if (typeof given === 'string') return;
  let values = 0;
  let level: unknown[] = [given];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > maxLevels)
      throw invalidInput(`${name}: is nested deeper than ${maxLevels} levels; give a flatter value`);
    const next: unknown[] = [];
    for (const value of level) {
      if (typeof value === 'string' && value.length > maxText.body)
        throw invalidInput(
          `${name}: holds a text of ${value.length} characters; give at most ${maxText.body} characters in one text`,
        );
      if (Array.isArray(value) && value.length > maxListItems)
        throw invalidInput(`${name}: holds a list of ${value.length} items; give at most ${maxListItems}`);
      if (typeof value === 'object' && value !== null)
        for (const inner of Object.values(value)) next.push(inner);
    }
    values += next.length;
    if (values > maxValues)
      throw invalidInput(
        `${name}: holds more than ${maxValues} values; split the content over several calls`,
      );
    level = next;
  }
}
