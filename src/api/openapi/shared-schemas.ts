/** Moves definitions, objects and unions within schemas to named components of the OpenAPI document. */
import { isObject, mapValues, type Json } from './plain-schema.ts';

/**
 * The form of the name that zod gives to a recursive schema without an id. Generators cannot express its type, so a
 * reference to it becomes a schema that allows any JSON.
 */
const unnamed = /^__schema\d+$/;

/**
 * Moves `$defs` to `components` and makes references point there. Drops definitions with an `unnamed` name, and the
 * references to them.
 * @returns the node without `$defs`
 * @throws Error if two different schemas have the same name
 */
export function shareSchemas(node: unknown, components: Json): unknown {
  if (Array.isArray(node)) return node.map((one) => shareSchemas(one, components));
  if (!isObject(node)) return node;
  const { $defs, ...rest } = node;
  const definitions = Object.entries(isObject($defs) ? $defs : {});
  if (definitions.length === 0) return mapValues(rest, (value) => shareSchemas(value, components));
  for (const [name, one] of definitions) {
    if (unnamed.test(name)) continue;
    addComponent(name, pointTo(one), components);
  }
  return shareSchemas(pointTo(rest), components);
}

function pointTo(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(pointTo);
  if (!isObject(node)) return node;
  const { $ref, ...rest } = node;
  if (typeof $ref !== 'string') return mapValues(node, pointTo);
  const name = $ref.replace('#/$defs/', '');
  if (unnamed.test(name)) return rest;
  return { ...rest, $ref: name.startsWith('#') ? name : `#/components/schemas/${name}` };
}

/** Adds a schema as a component. @throws Error if a different schema has the same name */
function addComponent(name: string, schema: unknown, components: Json): void {
  const taken = components[name];
  if (taken !== undefined && JSON.stringify(taken) !== JSON.stringify(schema))
    throw new Error(`Two schemas are named ${name}: give one of them another id.`);
  components[name] = schema;
}

/**
 * Moves each object and each union within the components to a separate component. Otherwise, generators invent names
 * for them, and these names change when another object is added.
 */
export function nameObjectsWithin(components: Json): void {
  for (const [name, schema] of Object.entries(components))
    if (isObject(schema)) components[name] = nameWithin(name, schema, components);
}

function nameWithin(name: string, schema: Json, components: Json): Json {
  const inner = (suffix: string, one: unknown) => nameOne(`${name}${suffix}`, one, components);
  return mapValues(schema, (value, key) => {
    if (key === 'properties' && isObject(value))
      return mapValues(value, (field, fieldName) => inner(pascal(fieldName), field));
    if (key === 'items') return nameOne(name.replace(/ies$/, 'y').replace(/s$/, ''), value, components);
    if (key === 'contentSchema') return inner('', value);
    if (/^(anyOf|oneOf)$/.test(key) && Array.isArray(value))
      return value.map((one: unknown, index) => bareReference(inner(memberName(one, index), one)));
    return value;
  });
}

/**
 * Moves an object or a union to a component with this name, or uses an existing component with the same schema.
 * @returns a reference to the component; for a schema that is neither an object nor a union, the schema itself, with
 * the objects and unions within it moved
 * @throws Error if a different schema has the name
 */
export function nameOne(name: string, schema: unknown, components: Json): unknown {
  if (!isObject(schema)) return schema;
  const { description, ...rest } = nameWithin(name, schema, components);
  if (!('properties' in rest) && !isUnion(rest))
    return { ...(description !== undefined && { description }), ...rest };
  const same = Object.entries(components).find(([, one]) => isSame(one, rest));
  if (same === undefined) addComponent(name, { description, ...rest }, components);
  return { description, $ref: `#/components/schemas/${same?.[0] ?? name}` };
}

/** True for a union of at least two schemas other than null. */
function isUnion({ anyOf, oneOf }: Json): boolean {
  const members: unknown = anyOf ?? oneOf;
  return (
    Array.isArray(members) && members.filter((one) => isObject(one) && one['type'] !== 'null').length > 1
  );
}

/**
 * Removes all keywords of a reference except `$ref`. With other keywords, generators would treat a union's member as an
 * unnamed object.
 */
function bareReference(schema: unknown): unknown {
  return isObject(schema) && '$ref' in schema ? { $ref: schema['$ref'] } : schema;
}

function isSame(component: unknown, schema: Json): boolean {
  if (!isObject(component)) return false;
  const { description: _, example: __, ...rest } = component;
  return JSON.stringify(rest) === JSON.stringify(schema);
}

/**
 * Names a union's member after the value of its first field that can have only one value. A member without such a field
 * is named after its position, from 1.
 */
function memberName(member: unknown, index: number): string {
  const fields =
    isObject(member) && isObject(member['properties']) ? Object.values(member['properties']) : [];
  const name = fields.map(onlyValue).find((value) => value !== undefined);
  return name === undefined ? String(index + 1) : pascal(name.toLowerCase());
}

/**
 * Adds a discriminator to each `oneOf` component whose members share a field that can have only one value in each of
 * them. Generators distinguish the members by it.
 */
export function withDiscriminators(components: Json): Json {
  return mapValues(components, (component) => {
    if (!isObject(component) || !Array.isArray(component['oneOf'])) return component;
    const members = component['oneOf'].map((one: unknown) => {
      const ref = isObject(one) ? String(one['$ref']) : '';
      const schema = components[ref.replace('#/components/schemas/', '')];
      const { properties } = isObject(schema) ? schema : {};
      return { ref, properties: isObject(properties) ? properties : {} };
    });
    const propertyName = Object.keys(members[0]?.properties ?? {}).find((field) =>
      members.every(({ properties }) => onlyValue(properties[field]) !== undefined),
    );
    if (propertyName === undefined) return component;
    const mapping = Object.fromEntries(
      members.map(({ ref, properties }) => [onlyValue(properties[propertyName]) ?? '', ref]),
    );
    return { ...component, discriminator: { propertyName, mapping } };
  });
}

/** @returns the only string that the field can have; undefined if there is no such string */
function onlyValue(field: unknown): string | undefined {
  const { enum: values } = isObject(field) ? field : {};
  if (!Array.isArray(values) || values.length !== 1) return undefined;
  const value: unknown = values[0];
  return typeof value === 'string' ? value : undefined;
}

function pascal(name: string): string {
  return name
    .split(/[^A-Za-z0-9]+/)
    .map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)
    .join('');
}
