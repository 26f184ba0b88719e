/** Converts the columns of a new database, `{name, type, …}`, to the workspace's property configurations. */
import type { JsonObject } from '../../contract/workspace/actions.ts';
import { readWorkspaceId } from '../../contract/workspace/workspace-id.ts';
import { limits } from '../blocks/limits.ts';
import { isObject, listAt, objectAt, shown, textAt } from '../json-value.ts';

const plainTypes = new Set([
  'title',
  'rich_text',
  'number',
  'select',
  'multi_select',
  'status',
  'date',
  'people',
  'files',
  'checkbox',
  'url',
  'email',
  'phone_number',
  'formula',
  'relation',
  'rollup',
  'created_time',
  'created_by',
  'last_edited_time',
  'last_edited_by',
  'unique_id',
  'verification',
  'place',
  'button',
]);

export type Column = { name: string; config: JsonObject; relatedDatabaseId?: string };

function readOptions(given: readonly unknown[], path: string, problems: string[]): JsonObject[] {
  if (given.length > limits.optionsPerProperty)
    problems.push(`${path} has ${given.length} options; at most ${limits.optionsPerProperty}`);
  return given.flatMap((option) => {
    const name = typeof option === 'string' ? option : textAt(option, 'name');
    if (name === undefined || name === '' || name.includes(',')) {
      problems.push(`${path} holds ${shown(option)}; give option names without commas`);
      return [];
    }
    return [isObject(option) ? option : { name }];
  });
}

/**
 * Merges the settings of a column that are next to its `type` with the nested settings, which are under the type's name
 * or, if there are none, under `config`. A nested setting overrides one next to the type.
 */
function settingsOf(item: JsonObject, type: string): JsonObject {
  const nested = objectAt(item, type) ?? objectAt(item, 'config') ?? {};
  const beside = Object.fromEntries(
    Object.entries(item).filter(([key]) => !['name', 'type', type, 'config'].includes(key)),
  );
  return { ...beside, ...nested };
}

function configOf(type: string, settings: JsonObject, path: string, problems: string[]): JsonObject {
  switch (type) {
    case 'select':
    case 'multi_select':
    case 'status': {
      const options = readOptions(listAt(settings, 'options'), `${path}.options`, problems);
      return options.length === 0 ? {} : { options };
    }
    case 'number':
      return settings['format'] === undefined ? {} : { format: settings['format'] };
    case 'unique_id':
      return settings['prefix'] === undefined ? {} : { prefix: settings['prefix'] };
    case 'formula':
      if (typeof settings['expression'] !== 'string')
        problems.push(`${path} is a formula and needs expression`);
      return { expression: settings['expression'] };
    case 'rollup': {
      const keys = [
        'relation_property_name',
        'relation_property_id',
        'rollup_property_name',
        'rollup_property_id',
        'function',
      ];
      const kept = Object.fromEntries(
        keys.filter((key) => settings[key] !== undefined).map((key) => [key, settings[key]]),
      );
      if (
        kept['function'] === undefined ||
        (kept['relation_property_name'] ?? kept['relation_property_id']) === undefined ||
        (kept['rollup_property_name'] ?? kept['rollup_property_id']) === undefined
      ) {
        problems.push(
          `${path} is a rollup and needs relation_property_name, rollup_property_name and function`,
        );
      }
      return kept;
    }
    default:
      return {};
  }
}

function readColumn(item: unknown, index: number, problems: string[]): Column | undefined {
  const path = `properties[${index}]`;
  const name = textAt(item, 'name');
  const type = textAt(item, 'type');
  if (
    !isObject(item) ||
    name === undefined ||
    name.trim() === '' ||
    type === undefined ||
    !plainTypes.has(type)
  ) {
    problems.push(
      `${path} is ${shown(item)}; give {"name","type"} with a type of ${[...plainTypes].join(', ')}`,
    );
    return undefined;
  }
  const settings = settingsOf(item, type);
  if (type !== 'relation') return { name, config: { [type]: configOf(type, settings, path, problems) } };
  const id = readWorkspaceId(textAt(settings, 'database_id') ?? textAt(settings, 'data_source_id') ?? '');
  if (id === undefined) {
    problems.push(`${path} is a relation and needs the related database_id`);
    return undefined;
  }
  const dual = settings['dual_property'] ?? (settings['type'] === 'dual_property' ? {} : undefined);
  return {
    name,
    relatedDatabaseId: id,
    config: { relation: dual === undefined ? { single_property: {} } : { dual_property: dual } },
  };
}

/**
 * Reads the columns of a new database. If none are given, returns a single column `Name` of type title.
 * @returns the columns, which must not be sent if there are `problems`
 */
export function readColumns(given: readonly unknown[]): { columns: Column[]; problems: string[] } {
  const problems: string[] = [];
  if (given.length === 0) return { columns: [{ name: 'Name', config: { title: {} } }], problems };
  const columns = given.flatMap((item, index) => readColumn(item, index, problems) ?? []);
  const seen = new Set<string>();
  const twice = columns.flatMap(({ name }) => {
    if (seen.has(name)) return [name];
    seen.add(name);
    return [];
  });
  if (twice.length > 0) problems.push(`properties name ${twice.map(shown).join(', ')} more than once`);
  const titles = columns.filter(({ config }) => config['title'] !== undefined).length;
  if (titles !== 1) problems.push(`properties hold ${titles} of type title; exactly one is needed`);
  return { columns, problems };
}
