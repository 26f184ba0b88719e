import assert from 'node:assert/strict';
import { docsToolDefinition } from '../../../src/contract/workspace/actions.ts';
import { readInput } from '../../../src/workspace/read-input.ts';
import { actions, findAction, toolDefinitions } from '../../../src/workspace/registry.ts';
import { documentedActions, type Parameter } from './support/documented-actions.ts';

type Schema = {
  type?: string;
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  default?: unknown;
  maximum?: number;
  minimum?: number;
  maxItems?: number;
  maxLength?: number;
  enum?: string[];
  const?: string;
  description?: string;
};

const schemaOf = (id: string) => findAction(id)!.inputSchema as Schema;
const typesOf = (schema: Schema): string[] => (schema.anyOf ?? [schema]).map(({ type }) => type ?? 'any');

function checkParameter(schema: Schema, expected: Parameter, where: string): void {
  if (expected.type !== undefined)
    assert.ok(typesOf(schema).includes(expected.type), `${where} takes ${expected.type}`);
  if (expected.default !== undefined) assert.deepEqual(schema.default, expected.default, `${where} default`);
  if (expected.max !== undefined) assert.equal(schema.maximum, expected.max, `${where} maximum`);
  if (expected.min !== undefined) assert.equal(schema.minimum, expected.min, `${where} minimum`);
  if (expected.maxItems !== undefined) assert.equal(schema.maxItems, expected.maxItems, `${where} maxItems`);
  if (expected.maxLength !== undefined)
    assert.equal(schema.maxLength, expected.maxLength, `${where} maxLength`);
  if (expected.values !== undefined) {
    const values = [...expected.values, ...(expected.ownValues ?? [])];
    assert.deepEqual(schema.enum ?? [schema.const], values, `${where} values`);
  }
}

describe('registry of document actions', () => {
  it('holds the 45 documented actions and no other', () => {
    assert.equal(Object.keys(documentedActions).length, 45);
    assert.deepEqual(actions.map(({ id }) => id).sort(), Object.keys(documentedActions).sort());
  });

  for (const [id, documented] of Object.entries(documentedActions)) {
    describe(id, () => {
      it('has every documented parameter, with its type, requiredness, default and limits', () => {
        const schema = schemaOf(id);
        for (const [name, expected] of Object.entries(documented.parameters)) {
          const parameter = schema.properties?.[name];
          assert.ok(parameter, `${id} has ${name}`);
          checkParameter(parameter, expected, `${id}.${name}`);
          assert.equal(
            schema.required?.includes(name) ?? false,
            expected.required ?? false,
            `${id}.${name} required`,
          );
        }
      });

      it('has no parameter beyond those documented and those we name as our own', () => {
        const known = [...Object.keys(documented.parameters), ...(documented.own ?? [])];
        assert.deepEqual(Object.keys(schemaOf(id).properties ?? {}).sort(), known.sort());
      });

      it('takes the documented aliases', () => {
        for (const [alias, name] of Object.entries(documented.aliases ?? {}))
          assert.equal(findAction(id)!.aliases[alias], name);
      });

      it(documented.deprecated ? 'is marked deprecated and names what to use' : 'is not deprecated', () => {
        assert.equal(findAction(id)!.deprecated !== undefined, documented.deprecated ?? false);
      });

      it('parses its own example, without a warning', () => {
        const action = findAction(id)!;
        const { input, warnings } = readInput(action, action.example);
        assert.deepEqual(warnings, []);
        assert.equal(typeof action.prepare(input), 'function');
      });
    });
  }

  it('describes every parameter that a name alone does not explain', () => {
    for (const { id } of actions) {
      for (const [name, parameter] of Object.entries(schemaOf(id).properties ?? {})) {
        const plain = ['title', 'mode', 'status', 'has_column_header', 'has_row_header'].includes(name);
        assert.ok(plain || (parameter.description ?? '').length > 3, `${id}.${name} has a description`);
      }
    }
  });

  it('has the rules between fields in the schema that a model reads', () => {
    for (const action of actions)
      for (const rule of action.rules) assert.ok(schemaOf(action.id).description?.includes(rule), rule);
  });

  it('returns definitions of the shape that the API promises', () => {
    const definitions = toolDefinitions();
    assert.equal(definitions.length, 45);
    for (const definition of definitions) {
      docsToolDefinition.parse(definition);
      assert.equal((definition.input_schema as Schema).type, 'object');
      // Values that JSON cannot express would be lost on the way to a model.
      assert.deepEqual(JSON.parse(JSON.stringify(definition)), definition);
    }
  });
});
