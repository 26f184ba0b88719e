/** Converts sort rules from the form that agents write to the workspace's form. */
import type { DataSourceAnswer } from '../client/answers.ts';
import type { JsonObject } from '../../contract/workspace/actions.ts';
import { invalidInput } from '../failures.ts';
import { isObject, shown, textAt } from '../json-value.ts';

const timestampOf = (name: string): string | undefined => {
  const plain = name
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, '_');
  return {
    created_time: 'created_time',
    created: 'created_time',
    last_edited_time: 'last_edited_time',
    last_edited: 'last_edited_time',
  }[plain];
};

/** @throws ActionError INVALID_INPUT if the direction is neither ascending nor descending */
function directionOf(rule: JsonObject): 'ascending' | 'descending' {
  const direction =
    rule['direction'] ??
    (rule['ascending'] === false || rule['ascending'] === 'false' ? 'descending' : 'ascending');
  if (direction !== 'ascending' && direction !== 'descending')
    throw invalidInput(`sorts: direction is ${shown(direction)}; give ascending or descending`);
  return direction;
}

/** @throws ActionError INVALID_INPUT if the rule names no property of the data source, or has an invalid direction */
function readRule(rule: unknown, dataSource: DataSourceAnswer, index: number): JsonObject {
  if (!isObject(rule)) throw invalidInput(`sorts[${index}] is ${shown(rule)}; give an object`);
  const timestamp = textAt(rule, 'timestamp');
  const name = textAt(rule, 'property_name') ?? textAt(rule, 'property') ?? timestamp;
  if (name === undefined)
    throw invalidInput(`sorts[${index}] names no property: give property_name or property, or timestamp`);
  const direction = directionOf(rule);
  const properties = Object.values(dataSource.properties);
  const property =
    timestamp === undefined ? properties.find((each) => each.name === name || each.id === name) : undefined;
  if (property !== undefined) return { property: property.name, direction };
  const time = timestampOf(name);
  if (time !== undefined) return { timestamp: time, direction };
  throw invalidInput(
    `Could not find sort property with name or id: ${name}. Properties: ${properties.map((each) => each.name).join(', ')}; or created_time, last_edited_time`,
  );
}

export function readSorts(sorts: readonly unknown[], dataSource: DataSourceAnswer): JsonObject[] {
  return sorts.map((rule, index) => readRule(rule, dataSource, index));
}
