/**
 * Converts a filter from the forms that agents write to the workspace's form, checks it against the schema of the data
 * source, and reports each change.
 */
import type { DataSourceAnswer, SchemaProperty } from '../client/answers.ts';
import type { JsonObject } from '../../contract/workspace/actions.ts';
import { isObject, listAt, objectAt, shown } from '../json-value.ts';
import { nearestOption, optionNames } from '../rows/property-value.ts';

type FilterNotes = { notes: string[]; problems: string[] };

const maxLevels = 2;
const maxConditions = 100;
const timestamps = ['created_time', 'last_edited_time'] as const;

/**
 * The condition keys that are valid for each property type. For a type that is not listed, only its name is valid. The
 * key `text` is accepted, but replaced (see `swaps`).
 */
const conditionKeys: Readonly<Record<string, readonly string[]>> = {
  title: ['title', 'rich_text'],
  rich_text: ['rich_text', 'text'],
  url: ['url', 'rich_text'],
  email: ['email', 'rich_text'],
  phone_number: ['phone_number', 'rich_text'],
  select: ['select'],
  status: ['status'],
  unique_id: ['unique_id'],
  created_by: ['created_by', 'people'],
  last_edited_by: ['last_edited_by', 'people'],
  created_time: ['created_time', 'date'],
  last_edited_time: ['last_edited_time', 'date'],
};
/** For each property type, the condition keys that are replaced with the type. A note reports each replacement. */
const swaps: Readonly<Record<string, readonly string[]>> = {
  title: ['text', 'rich_text'],
  rich_text: ['text', 'title', 'string'],
  url: ['text', 'string'],
  email: ['text', 'string'],
  phone_number: ['text', 'string', 'phone'],
  select: ['status'],
  status: ['select'],
};
const inner: Readonly<Record<string, readonly string[]>> = {
  rollup: ['any', 'every', 'none', 'number', 'date'],
  formula: ['string', 'number', 'checkbox', 'date'],
};

function findProperty(name: unknown, dataSource: DataSourceAnswer): SchemaProperty | undefined {
  const all = Object.values(dataSource.properties);
  return all.find((property) => property.name === name) ?? all.find((property) => property.id === name);
}

function checkOptions(condition: JsonObject, property: SchemaProperty, result: FilterNotes): void {
  if (!['select', 'status', 'multi_select'].includes(property.type)) return;
  const options = optionNames(property);
  for (const operator of ['equals', 'does_not_equal', 'contains', 'does_not_contain']) {
    const wanted = condition[operator];
    if (typeof wanted !== 'string' || options.includes(wanted)) continue;
    const nearest = nearestOption(wanted, options);
    result.problems.push(
      `${property.name} has no option ${shown(wanted)}${nearest === undefined ? '' : `; did you mean ${shown(nearest)}?`} Options are case-sensitive: ${options.map(shown).join(', ')}`,
    );
  }
}

function readCondition(given: JsonObject, dataSource: DataSourceAnswer, result: FilterNotes): JsonObject {
  const refuse = (problem: string): JsonObject => {
    result.problems.push(problem);
    return given;
  };
  for (const timestamp of timestamps) {
    if (given['property'] === undefined && isObject(given[timestamp])) {
      if (given['timestamp'] === undefined)
        result.notes.push(`The filter on ${timestamp} was made a timestamp filter.`);
      return { timestamp, [timestamp]: given[timestamp] };
    }
  }
  const property = findProperty(given['property'], dataSource);
  if (property === undefined) {
    const names = Object.values(dataSource.properties).map(({ name, type }) => `${name} (${type})`);
    if (given['property'] === undefined)
      return refuse(
        `a condition is ${shown(given)}; give {"property":"its name","its type":{"operator":value}}, {"timestamp":"created_time","created_time":{…}}, or and/or lists of them. Properties: ${names.join(', ')}`,
      );
    return refuse(
      `Could not find property with name or id: ${shown(given['property'])}. Properties: ${names.join(', ')}`,
    );
  }
  const keys = Object.keys(given).filter((key) => key !== 'property' && key !== 'type');
  const [key, second] = keys;
  const condition = key === undefined ? undefined : given[key];
  if (key === undefined || second !== undefined || !isObject(condition))
    return refuse(
      `the filter on ${property.name} needs exactly one condition under its type: {"property":${JSON.stringify(property.name)},"${property.type}":{…}}; got ${shown(given)}`,
    );
  const accepted = conditionKeys[property.type] ?? [property.type];
  const written =
    accepted.includes(key) && key !== 'text'
      ? key
      : (swaps[property.type] ?? []).includes(key)
        ? property.type
        : undefined;
  if (written === undefined)
    return refuse(
      `database property ${property.type} does not match filter ${key}: use {"property":${JSON.stringify(property.name)},"${property.type}":{…}}`,
    );
  if (written !== key)
    result.notes.push(`The filter on ${property.name} was given as ${key} and sent as ${written}.`);
  const allowed = inner[property.type];
  if (allowed !== undefined && !allowed.some((each) => condition[each] !== undefined)) {
    result.problems.push(
      `a filter on the ${property.type} ${property.name} needs one of ${allowed.join(', ')}`,
    );
  }
  checkOptions(condition, property, result);
  return { property: property.name, [written]: condition };
}

const listOf = (given: JsonObject): { kind: 'and' | 'or'; items: readonly unknown[] } | undefined => {
  if (Array.isArray(given['and'])) return { kind: 'and', items: listAt(given, 'and') };
  return Array.isArray(given['or']) ? { kind: 'or', items: listAt(given, 'or') } : undefined;
};

function countConditions(given: unknown): number {
  const list = isObject(given) ? listOf(given) : undefined;
  return list === undefined ? 1 : list.items.reduce<number>((sum, item) => sum + countConditions(item), 0);
}

function read(given: unknown, dataSource: DataSourceAnswer, result: FilterNotes, level: number): JsonObject {
  if (!isObject(given)) {
    result.problems.push(`a filter is ${shown(given)}; give an object`);
    return {};
  }
  const list = listOf(given);
  if (list === undefined) {
    const nested = objectAt(given, 'filter');
    return nested === undefined
      ? readCondition(given, dataSource, result)
      : read(nested, dataSource, result, level);
  }
  if (level >= maxLevels) result.problems.push(`and/or may be nested ${maxLevels} levels deep, not deeper`);
  return { [list.kind]: list.items.map((item) => read(item, dataSource, result, level + 1)) };
}

/**
 * Converts and checks a filter.
 * @returns the filter, which must not be sent if there are `problems`, and a note for each condition that was changed
 */
export function readFilter(
  given: JsonObject,
  dataSource: DataSourceAnswer,
): FilterNotes & { filter: JsonObject } {
  const result: FilterNotes = { notes: [], problems: [] };
  const count = countConditions(given);
  if (count > maxConditions)
    result.problems.push(`the filter has ${count} conditions; at most ${maxConditions}`);
  return { filter: read(given, dataSource, result, 0), ...result };
}
