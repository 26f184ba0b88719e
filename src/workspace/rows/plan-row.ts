/** Converts natural language to property values of a row, with the organization's model and the live schema. */
import { z } from 'zod';
import type { DataSourceAnswer, SchemaProperty } from '../client/answers.ts';
import type { RunContext } from '../context.ts';
import { ActionError } from '../failures.ts';
import { isObject, textAt } from '../json-value.ts';
import { computedTypes, nearestOption, optionNames } from './property-value.ts';
import { resolveNames } from './resolve-names.ts';
import { readProperties, schemaList, type NamedValue } from './read-properties.ts';

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

/** Extracts the list from the model's answer, with or without a code fence or an enclosing object. */
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

/** Matches options without regard to case and drops unknown ones: options are never invented. */
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

/** Calls the model, and once more with the errors of its first answer. Nothing has been written by then. */
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
