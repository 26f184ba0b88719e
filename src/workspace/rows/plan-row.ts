/** Converts natural language to the values of a row, with the organization's model and the current schema. */
import { z } from 'zod';
import { readWorkspaceId } from '../../contract/workspace/workspace-id.ts';
import type { DataSourceAnswer, SchemaProperty } from '../client/answers.ts';
import type { RunContext } from '../context.ts';
import { ActionError } from '../failures.ts';
import { isObject, objectAt, textAt } from '../json-value.ts';
import { titleOf } from '../pages/page-fields.ts';
import { computedTypes, nearestOption, optionNames } from './property-value.ts';
import { type NamedValue, readProperties, schemaList } from './read-properties.ts';

const planned = z.array(z.looseObject({ name: z.string(), type: z.string().optional(), value: z.unknown() }));

function describe(property: SchemaProperty): string {
  const options = optionNames(property);
  return `- ${JSON.stringify(property.name)} (${property.type})${options.length === 0 ? '' : `: one of ${options.map((name) => JSON.stringify(name)).join(', ')}`}`;
}

function prompt(
  context: RunContext,
  dataSource: DataSourceAnswer,
  text: string,
  problems: readonly string[],
): string {
  const writable = schemaList(dataSource).filter((property) => !computedTypes.has(property.type));
  return [
    'Fill a database row from the description below. Answer with JSON only: a list of {"name","type","value"}.',
    'Use only the properties listed, by their exact names; leave out what the description does not say. Never invent options.',
    'Dates are ISO dates, or ISO date-times with an offset, or "start/end". People and related pages are given by name.',
    `Now: ${context.now().toISOString()} (UTC).`,
    'Properties:',
    ...writable.map(describe),
    ...(problems.length === 0
      ? []
      : ['Your last answer had these faults; correct them:', ...problems.map((problem) => `- ${problem}`)]),
    'Description:',
    text,
  ].join('\n');
}

/**
 * Extracts the list of values from the model's answer. The list may be inside a code fence or an object.
 * @returns the values, or an error message for the model
 */
function parsePlan(answer: string): NamedValue[] | string {
  const start = answer.search(/[[{]/);
  const end = Math.max(answer.lastIndexOf(']'), answer.lastIndexOf('}'));
  try {
    const value: unknown = JSON.parse(answer.slice(start, end + 1));
    const list = isObject(value) ? (Object.values(value).find(Array.isArray) ?? value) : value;
    const parsed = planned.safeParse(list);
    return parsed.success
      ? parsed.data.map(({ name, value: given }) => ({ name, value: given }))
      : 'The answer is not a list of {"name","type","value"}.';
  } catch {
    return 'The answer is not JSON.';
  }
}

/**
 * Replaces options with the spelling of the schema, if they differ only in case and spaces. Leaves out unknown options,
 * with a warning for each.
 */
function withKnownOptions(
  context: RunContext,
  values: readonly NamedValue[],
  dataSource: DataSourceAnswer,
): NamedValue[] {
  return values.flatMap((entry) => {
    const property = schemaList(dataSource).find(({ name }) => name === entry.name);
    if (property === undefined || !['select', 'multi_select', 'status'].includes(property.type))
      return [entry];
    const options = optionNames(property);
    const list = Array.isArray(entry.value)
      ? entry.value
      : property.type === 'multi_select' && typeof entry.value === 'string'
        ? entry.value.split(',')
        : [entry.value];
    const known = list.flatMap((item: unknown) => {
      const name = (typeof item === 'string' ? item : (textAt(item, 'name') ?? '')).trim();
      const match = options.includes(name) ? name : nearestOption(name, options);
      if (match === undefined && name !== '')
        context.warn(
          `${property.name}: ${JSON.stringify(name)} is no option of the database and was left out.`,
        );
      return match ?? [];
    });
    return known.length === 0
      ? []
      : [{ ...entry, value: property.type === 'multi_select' ? known : known[0] }];
  });
}

function withTitle(values: readonly NamedValue[], dataSource: DataSourceAnswer, text: string): NamedValue[] {
  const title = schemaList(dataSource).find((property) => property.type === 'title');
  const given = values.some(
    (entry) => entry.name === title?.name && typeof entry.value === 'string' && entry.value.trim() !== '',
  );
  return title === undefined || given
    ? [...values]
    : [
        ...values.filter((entry) => entry.name !== title.name),
        { name: title.name, value: text.slice(0, 80) },
      ];
}

/**
 * Asks the model for the values of the row. If the first answer does not match the schema, asks once more and includes
 * the problems in the prompt. Writes nothing. Warnings name values that were left out.
 * @returns the values, in which people and related pages are ids. If the model gave no title, it is the start of `text`
 * @throws ActionError NOT_CONFIGURED if there is no model, VALIDATION_ERROR if neither answer matches the schema;
 * ModelUnavailable if the model fails; the failures of the workspace if ids are looked up in it
 */
export async function planRow(
  context: RunContext,
  dataSource: DataSourceAnswer,
  text: string,
): Promise<NamedValue[]> {
  const { model } = context;
  if (model === undefined) {
    throw new ActionError(
      'NOT_CONFIGURED',
      'This action needs a language model, and the organization has none: set MODEL_BASE_URL and MODEL_NAME, or OPENAI_API_KEY or ANTHROPIC_API_KEY, and choose a model other than scripted/default. Without one, use DOCS_INSERT_ROW_DATABASE',
    );
  }
  let problems: string[] = [];
  for (let round = 0; round < 2; round += 1) {
    const parsed = parsePlan(await model(prompt(context, dataSource, text, problems)));
    if (typeof parsed === 'string') {
      problems = [parsed];
      continue;
    }
    const named = await resolveNames(context, withKnownOptions(context, parsed, dataSource), dataSource);
    const values = withTitle(named, dataSource, text);
    problems = readProperties(values, schemaList(dataSource), 'leave_out').problems;
    if (problems.length === 0) return values;
  }
  throw new ActionError(
    'VALIDATION_ERROR',
    `The model's plan for the row does not fit the database, twice, and nothing was written: ${problems.join('; ')}. Say it more precisely, or use DOCS_INSERT_ROW_DATABASE`,
  );
}

const maxUserPages = 10;

const plain = (name: string): string => name.trim().toLowerCase();

async function peopleNamed(context: RunContext, name: string): Promise<string[]> {
  const found: string[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < maxUserPages; page += 1) {
    const users = await context.docs.listUsers({ page_size: 100, start_cursor: cursor });
    for (const user of users.results) {
      const names = [user.name ?? undefined, textAt(objectAt(user, 'person'), 'email')];
      if (names.some((each) => each !== undefined && plain(each) === plain(name))) found.push(user.id);
    }
    if (!users.has_more || users.next_cursor === null) break;
    cursor = users.next_cursor;
  }
  return found;
}

async function pagesNamed(context: RunContext, property: SchemaProperty, name: string): Promise<string[]> {
  const target = textAt(objectAt(property, 'relation'), 'data_source_id');
  if (target === undefined) return [];
  const rows = await context.docs.queryDataSource(target, {
    filter: { property: 'title', title: { equals: name.slice(0, 2000) } },
    page_size: 10,
  });
  return rows.results.flatMap((row) => (row.object === 'page' && titleOf(row) === name ? [row.id] : []));
}

const namesIn = (value: unknown): string[] =>
  (Array.isArray(value) ? value : typeof value === 'string' ? value.split(',') : [value])
    .flatMap((item: unknown) =>
      typeof item === 'string' ? item : (textAt(item, 'id') ?? textAt(item, 'name') ?? []),
    )
    .map((name) => name.trim())
    .filter((name) => name !== '');

async function idOf(
  context: RunContext,
  property: SchemaProperty,
  name: string,
): Promise<string | undefined> {
  const id = readWorkspaceId(name);
  if (id !== undefined) return id;
  const found =
    property.type === 'people' ? await peopleNamed(context, name) : await pagesNamed(context, property, name);
  const [first, second] = found;
  if (first !== undefined && second === undefined) return first;
  const why = first === undefined ? 'is not found' : `fits ${found.length} entries`;
  context.warn(`${property.name}: ${JSON.stringify(name)} ${why} and was left out.`);
  return undefined;
}

/**
 * Replaces the names of people and related pages with their ids. Leaves out unknown and ambiguous names, with a warning
 * for each.
 */
export async function resolveNames(
  context: RunContext,
  values: readonly NamedValue[],
  dataSource: DataSourceAnswer,
): Promise<NamedValue[]> {
  const resolved: NamedValue[] = [];
  for (const entry of values) {
    const property = schemaList(dataSource).find(({ name }) => name === entry.name);
    if (property === undefined || (property.type !== 'people' && property.type !== 'relation')) {
      resolved.push(entry);
      continue;
    }
    const ids: string[] = [];
    for (const name of namesIn(entry.value)) {
      const id = await idOf(context, property, name);
      if (id !== undefined) ids.push(id);
    }
    if (ids.length > 0) resolved.push({ ...entry, value: ids });
  }
  return resolved;
}
