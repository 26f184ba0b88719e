/** The functions of a rollup over the values of the related rows. */
import { asObject, asString, type Json, type JsonObject } from './json.ts';

const isEmpty = (value: Json): boolean =>
  value === null || value === '' || value === false || (Array.isArray(value) && value.length === 0);

/** @returns a value as answers hold it: a number, a date or a list */
export function rolledUp(name: string, type: string, values: readonly Json[]): JsonObject {
  const dates = values.flatMap(momentsOf).sort((left, right) => Date.parse(left) - Date.parse(right));
  const [first, last] = [dates[0], dates.at(-1)];
  switch (name) {
    case 'earliest_date':
      return { type: 'date', date: dateOf(first), function: name };
    case 'latest_date':
      return { type: 'date', date: dateOf(last), function: name };
    case 'date_range':
      return { type: 'date', date: dateOf(first, last), function: name };
    case 'show_unique':
      return { type: 'array', array: shown(type, unique(values)), function: name };
    case 'show_original':
      return { type: 'array', array: shown(type, values), function: name };
    default:
      return { type: 'number', number: numberOf(name, values), function: name };
  }
}

function shown(type: string, values: readonly Json[]): Json[] {
  return values.map((value) => ({ type, [type]: value }));
}

function unique(values: readonly Json[]): Json[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}

function momentsOf(value: Json): string[] {
  if (typeof value === 'string') return [value];
  const { start, end } = asObject(value);
  return [start, end].map((each) => asString(each ?? null)).filter((each) => each !== '');
}

function dateOf(start: string | undefined, end?: string): Json {
  return start === undefined ? null : { start, end: end ?? null, time_zone: null };
}

function numberOf(name: string, values: readonly Json[]): number | null {
  const filled = values.filter((value) => !isEmpty(value)).length;
  const share = (count: number) => (values.length === 0 ? 0 : count / values.length);
  switch (name) {
    case 'count_values':
      return filled;
    case 'unique':
      return unique(values).length;
    case 'not_empty':
    case 'checked':
      return filled;
    case 'empty':
    case 'unchecked':
      return values.length - filled;
    case 'percent_not_empty':
    case 'percent_checked':
      return share(filled);
    case 'percent_empty':
    case 'percent_unchecked':
      return share(values.length - filled);
    case 'sum':
    case 'average':
    case 'median':
    case 'min':
    case 'max':
    case 'range':
      return overNumbers(
        name,
        values.filter((value) => typeof value === 'number'),
      );
    default:
      return values.length;
  }
}

function overNumbers(name: string, numbers: readonly number[]): number | null {
  const sum = numbers.reduce((total, each) => total + each, 0);
  if (name === 'sum') return sum;
  const sorted = [...numbers].sort((left, right) => left - right);
  const [min, max] = [sorted[0], sorted.at(-1)];
  if (min === undefined || max === undefined) return null;
  if (name === 'min') return min;
  if (name === 'max') return max;
  if (name === 'range') return max - min;
  if (name === 'average') return sum / sorted.length;
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return ((low ?? 0) + (high ?? 0)) / 2;
}
