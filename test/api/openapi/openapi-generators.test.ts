/** Client generators read the OpenAPI document. Each hazard below made one of six generate code that fails. */
import assert from 'node:assert/strict';
import { openApiDocument } from '../../../src/api/openapi/openapi.ts';

type Json = Record<string, unknown>;
type Hazard = (node: Json, where: string) => boolean;

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;

/** Names that a generator renames, or that hide what a language has. */
const reserved = /^(Any|Array|Date|Error|File|Function|Json|List|Map|Model|Object|Promise|Record|Set|Type)$/;

const isComponent = (where: string) => /^\/components\/schemas\/\w+$/.test(where);

/** On a schema. */
const hazards: Record<string, Hazard> = {
  'a pattern that Python, Go, Java and Rust do not all compile': ({ pattern }) =>
    typeof pattern === 'string' && /\\p\{|\\0|\\u|\(\?/i.test(pattern.replaceAll('(?:', '')),
  'a pattern beside a format, which generated code matches against a date or an object': ({
    pattern,
    format,
  }) => typeof pattern === 'string' && format !== undefined,
  'const, which generators take for any value of its type, or refuse': (node) => 'const' in node,
  'an enum of anything but text': (node) =>
    Array.isArray(node['enum']) && node['enum'].some((one) => typeof one !== 'string'),
  'several types in one list': ({ type }) => Array.isArray(type),
  'a keyword that generators drop or refuse': (node) =>
    [
      '$defs',
      'allOf',
      'not',
      'patternProperties',
      'prefixItems',
      'propertyNames',
      'unevaluatedProperties',
    ].some((keyword) => keyword in node),
  'a format that no generator knows': ({ format }) =>
    format !== undefined && !['uuid', 'uri', 'date', 'date-time'].some((one) => one === format),
  'an object without a name': ({ properties }, where) => isObject(properties) && !isComponent(where),
  'a union without a name': ({ anyOf, oneOf }, where) =>
    [anyOf ?? oneOf ?? []].flat().filter((one: unknown) => isObject(one) && one['type'] !== 'null').length >
      1 && !isComponent(where),
  'a member of a oneOf that is more than a reference': ({ oneOf }) =>
    Array.isArray(oneOf) &&
    oneOf.some((one: unknown) => !isObject(one) || Object.keys(one).join() !== '$ref'),
};

/** Every schema of the document with its place. Examples hold values, no schemas. */
function* schemasOf(node: unknown, where = '', within = false): Generator<[Json, string]> {
  if (!isObject(node)) return;
  if (within) yield [node, where];
  for (const [key, value] of Object.entries(node)) {
    if (/^examples?$/.test(key) || (key === 'default' && within)) continue;
    const at = `${where}/${key}`;
    if (key === 'schema') yield* schemasOf(value, at, true);
    else if (within && /^(items|additionalProperties|contentSchema)$/.test(key))
      yield* schemasOf(value, at, true);
    else if (isObject(value) && (/^(properties)$/.test(key) || at === '/components/schemas'))
      for (const [name, one] of Object.entries(value)) yield* schemasOf(one, `${at}/${name}`, true);
    else if (Array.isArray(value) && /^(anyOf|oneOf|allOf)$/.test(key))
      for (const [index, one] of value.entries()) yield* schemasOf(one, `${at}/${index}`, true);
    else yield* schemasOf(value, at, false);
  }
}

function* operationsOf(document: Json): Generator<[string, Json]> {
  const { pathItems } = document['components'] as { pathItems: Json };
  const groups = { ...(document['paths'] as Json), ...pathItems } as Record<string, Json>;
  for (const [path, methods] of Object.entries(groups))
    for (const [method, operation] of Object.entries(methods)) yield [`${method} ${path}`, operation as Json];
}

function found(hazard: Hazard, document: Json): string[] {
  return [...schemasOf(document)].filter(([node, where]) => hazard(node, where)).map(([, where]) => where);
}

describe('openapi.json for client generators', () => {
  const document = openApiDocument('http://127.0.0.1:3000');

  for (const [name, hazard] of Object.entries(hazards))
    it(`finds no schema with ${name}`, () => {
      assert.deepEqual(found(hazard, document), []);
    });

  it('the check sees each of these hazards', () => {
    const planted: Json[] = [
      { type: 'string', pattern: '^[^\\0\\p{Cs}]*$' },
      { type: 'string', format: 'uuid', pattern: '^.{36}$' },
      { type: 'boolean', const: true },
      { type: 'integer', enum: [1, 2] },
      { type: ['string', 'null'] },
      { type: 'object', propertyNames: { type: 'string' } },
      { type: 'string', format: 'base64' },
      { type: 'array', items: { type: 'object', properties: { a: { type: 'string' } } } },
      { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'number' }] } },
      { oneOf: [{ $ref: '#/components/schemas/A', description: 'b' }] },
    ];
    for (const [index, [name, hazard]] of Object.entries(hazards).entries())
      assert.equal(found(hazard, { components: { schemas: { Planted: planted[index] } } }).length, 1, name);
  });

  it('names no component as a language names its own, nor two alike', () => {
    const names = Object.keys((document['components'] as { schemas: Json }).schemas);
    assert.deepEqual(
      names.filter((name) => reserved.test(name) || !/^[A-Z][A-Za-z0-9]*$/.test(name)),
      [],
    );
    assert.equal(new Set(names.map((name) => name.toLowerCase())).size, names.length);
  });

  it('no schema contains itself', () => {
    const { schemas } = document['components'] as { schemas: Json };
    const refs = (node: unknown): string[] =>
      isObject(node)
        ? Object.entries(node).flatMap(([key, value]) =>
            key === '$ref' ? [String(value).replace('#/components/schemas/', '')] : refs(value),
          )
        : [];
    const reaches = (from: string, to: string, seen = new Set<string>()): boolean =>
      refs(schemas[from]).some((next) => {
        if (next === to) return true;
        if (seen.has(next)) return false;
        seen.add(next);
        return reaches(next, to, seen);
      });
    assert.deepEqual(
      Object.keys(schemas).filter((name) => reaches(name, name)),
      [],
    );
  });

  it('gives each operation, webhooks too, an identifier that is a method name, once', () => {
    const all = [...operationsOf(document)].map(([at, { operationId }]) => [at, operationId] as const);
    assert.deepEqual(
      all.filter(([, id]) => !/^[a-z][A-Za-z0-9]+$/.test(String(id))),
      [],
    );
    assert.equal(new Set(all.map(([, id]) => String(id).toLowerCase())).size, all.length);
    assert.ok(all.length > 40, `${all.length} operations`);
  });

  it('has one name for a path parameter at one place, in one style', () => {
    const names = new Map<string, Set<string>>();
    for (const path of Object.keys(document['paths'] as Json)) {
      const parts = path.split('/');
      for (const [index, part] of parts.entries()) {
        const [, name] = /^\{(.*)\}$/.exec(part) ?? [];
        if (name === undefined) continue;
        assert.match(name, /^[a-z][A-Za-z]*$/, path);
        const place = parts.slice(0, index).join('/');
        names.set(place, (names.get(place) ?? new Set()).add(name));
      }
    }
    assert.deepEqual(
      [...names].filter(([, all]) => all.size > 1).map(([place]) => place),
      [],
    );
  });

  it('refers to its webhooks: openapi-generator fails at one that is written out there', () => {
    const { pathItems } = document['components'] as { pathItems: Json };
    const webhooks = document['webhooks'] as Record<string, Json>;
    assert.equal(Object.keys(webhooks).length, 6);
    for (const item of Object.values(webhooks)) {
      assert.deepEqual(Object.keys(item), ['$ref']);
      assert.ok(String(item['$ref']).replace('#/components/pathItems/', '') in pathItems);
    }
  });

  it('ties POST /chat/{id} to its callbacks and to the history of its answer', () => {
    const paths = document['paths'] as Record<string, Record<string, Json>>;
    const chat = paths['/chat/{id}']?.['post'] as {
      callbacks: Record<string, Record<string, { post: Json }>>;
      responses: Record<string, { links?: Record<string, { operationId: string; parameters: Json }> }>;
    };
    const [[expression, item] = []] = Object.entries(Object.values(chat.callbacks)[0] ?? {});
    assert.equal(expression, '{$request.body#/webhook_url}');
    assert.ok(item?.post['requestBody']);
    const ids = [...operationsOf(document)].map(([, { operationId }]) => operationId);
    for (const status of ['200', '202']) {
      const links = Object.values(chat.responses[status]?.links ?? {});
      assert.ok(links.length > 0, status);
      for (const { operationId, parameters } of links) {
        assert.ok(ids.includes(operationId), operationId);
        assert.deepEqual(Object.values(parameters), ['$response.body#/conversation_id']);
      }
    }
  });
});
