/**
 * Converts a row's `properties` from the forms that agents write to the workspace's form, and checks them against the
 * schema.
 */
import type { DataSourceAnswer, SchemaProperty } from '../client/answers.ts';
import type { JsonObject } from '../../contract/workspace/actions.ts';
import { composed, decoded } from '../text.ts';
import type { RunContext } from '../context.ts';
import { ActionError, invalidInput } from '../failures.ts';
import { isObject, shown, textAt } from '../json-value.ts';
import { convertValue, nearestOption } from './property-value.ts';

export type NamedValue = { name: string; type?: string; value: unknown };

export type RowProperties = {
  properties: Record<string, JsonObject>;
  warnings: string[];
  problems: string[];
};

/**
 * Reads the values from a list of `{name, type, value}`, or from an object whose keys are the names.
 * @throws ActionError INVALID_INPUT if the input has neither form
 */
export function readNamedValues(given: unknown): NamedValue[] {
  if (isObject(given)) return Object.entries(given).map(([name, value]) => ({ name, value }));
  if (!Array.isArray(given))
    throw invalidInput(`properties is ${shown(given)}; give a list of {"name","type","value"}`);
  const values: NamedValue[] = [];
  for (const [index, item] of given.entries()) {
    const name = textAt(item, 'name');
    if (!isObject(item) || name === undefined)
      throw invalidInput(`properties[${index}] is ${shown(item)}; give {"name","type","value"}`);
    const type = textAt(item, 'type');
    const value = Object.hasOwn(item, 'value') || type === undefined ? item['value'] : item[type];
    values.push({ name, value, ...(type === undefined ? {} : { type }) });
  }
  return values;
}

/**
 * Finds a property by its name or its id, either of which may be percent-encoded.
 * @param parameter name of the action's parameter, for the error
 * @throws ActionError INVALID_INPUT that lists the properties if none matches
 */
export function propertyOf<Property extends { id?: string | undefined; name: string }>(
  parameter: string,
  given: string,
  properties: readonly Property[],
): Property {
  const plain = decoded(given);
  const found =
    properties.find(({ id }) => id === given) ??
    properties.find(({ name }) => name === given) ??
    properties.find(({ id, name }) => decoded(id ?? '') === plain || name === plain) ??
    properties.find(({ name }) => composed(name) === composed(plain));
  if (found !== undefined) return found;
  const known = properties.map(({ name, id }) => `${name} (${id ?? ''})`).join(', ');
  throw invalidInput(
    `${parameter} is ${JSON.stringify(given)}, which is no property; names are case-sensitive. Properties: ${known}`,
  );
}

function findProperty(name: string, properties: readonly SchemaProperty[]): SchemaProperty | undefined {
  return (
    properties.find((property) => property.name === name) ??
    properties.find((property) => property.id === name || composed(property.name) === composed(name))
  );
}

/**
 * Converts the values of a row for the schema of a data source or of a single page.
 * @param blank the treatment of empty values (see convertValue)
 * @returns the properties, which must not be sent if there are `problems`, and a warning for each change
 */
export function readProperties(
  values: readonly NamedValue[],
  schema: readonly SchemaProperty[],
  blank: 'leave_out' | 'clear',
): RowProperties {
  const result: Omit<RowProperties, 'properties'> = { warnings: [], problems: [] };
  const properties = new Map<string, JsonObject>();
  const known = schema.map((property) => `${property.name} (${property.type})`).join(', ');
  for (const { name, type, value } of values) {
    const property = findProperty(name, schema);
    if (property === undefined) {
      const nearest = nearestOption(
        name,
        schema.map((each) => each.name),
      );
      const hint = nearest === undefined ? '' : ` Did you mean ${nearest}? Names are case-sensitive.`;
      result.problems.push(`${name} is not a property that exists.${hint} Properties: ${known}`);
      continue;
    }
    const converted = convertValue(value, property, blank);
    if (converted.problem !== undefined) {
      const expected =
        type === undefined || type === property.type
          ? ''
          : `${name} is expected to be ${property.type}, not ${type}. `;
      result.problems.push(`${expected}${converted.problem}`);
      continue;
    }
    if (type !== undefined && type !== property.type && converted.property !== undefined) {
      result.warnings.push(
        `${name} was given as ${type} and written as ${property.type}, its type in the database.`,
      );
    }
    if (converted.note !== undefined) result.warnings.push(converted.note);
    if (converted.property !== undefined) properties.set(property.name, converted.property);
  }
  return { ...result, properties: Object.fromEntries(properties) };
}

/**
 * Converts values as `readProperties` does. Adds its warnings to those of the action.
 * @throws ActionError VALIDATION_ERROR with all problems; the problem of an unknown name lists the existing names and
 * types
 */
export function checkedProperties(
  context: Pick<RunContext, 'warn'>,
  values: readonly NamedValue[],
  schema: readonly SchemaProperty[],
  blank: 'leave_out' | 'clear',
): RowProperties['properties'] {
  const read = readProperties(values, schema, blank);
  if (read.problems.length > 0)
    throw new ActionError('VALIDATION_ERROR', read.problems.join('; '), { status: 400 });
  for (const warning of read.warnings) context.warn(warning);
  return read.properties;
}

export const schemaList = (dataSource: DataSourceAnswer): SchemaProperty[] =>
  Object.values(dataSource.properties);
