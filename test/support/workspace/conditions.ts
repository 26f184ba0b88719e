/** One condition of a filter against one answered value. */
import { shouldBe } from './errors.ts';
import { requireId } from './ids.ts';
import { asArray, asObject, asString, isObject, type Json, type JsonObject } from './json.ts';

const textual = ['title', 'rich_text', 'url', 'email', 'phone_number'];
const day = 86_400_000;

/** The key that a column takes beside its own type, as "Filter data source entries" has them. */
const sharedKeys: Readonly<Record<string, string>> = {
  ...{ title: 'rich_text', url: 'rich_text', email: 'rich_text', phone_number: 'rich_text' },
  ...{ created_by: 'people', last_edited_by: 'people' },
  ...{ created_time: 'date', last_edited_time: 'date' },
};

export function takesFilter(columnType: string, key: string): boolean {
  return key === columnType || key === sharedKeys[columnType];
}

interface Asker {
  now: number;
  /** The person whom `me` means in a filter of people. */
  me: string;
}

/** @param value as answers hold it; null when empty @throws ApiError for an operator that the type does not have */
export function conditionFits(
  type: string,
  value: Json,
  condition: JsonObject,
  path: string,
  asker: Asker,
): boolean {
  if (type === 'formula') return formulaFits(value, condition, path, asker);
  if (type === 'rollup') return rollupFits(value, condition, path, asker);
  return Object.entries(condition).every(([operator, wanted]) => {
    if (operator === 'is_empty') return emptyValue(value);
    if (operator === 'is_not_empty') return !emptyValue(value);
    const fits = operatorFits(type, value, operator, wanted, `${path}.${operator}`, asker);
    if (fits === undefined) throw shouldBe(`${path}.${operator}`, 'not present', wanted);
    return fits;
  });
}

function emptyValue(value: Json): boolean {
  return value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

function operatorFits(
  type: string,
  value: Json,
  operator: string,
  wanted: Json,
  path: string,
  asker: Asker,
): boolean | undefined {
  if (textual.includes(type)) return textFits(words(value), operator, asString(wanted));
  if (type === 'number' || type === 'unique_id') {
    return numberFits(type === 'number' ? value : (asObject(value)['number'] ?? null), operator, wanted);
  }
  if (['date', 'created_time', 'last_edited_time'].includes(type))
    return dateFits(value, operator, wanted, asker.now);
  if (type === 'checkbox') return equality(operator, value === true, wanted);
  if (type === 'select' || type === 'status')
    return equality(operator, asObject(value)['name'] ?? null, wanted);
  if (type === 'multi_select')
    return membership(
      operator,
      asArray(value).map((each) => asObject(each)['name'] ?? null),
      wanted,
    );
  if (!['people', 'relation', 'created_by', 'last_edited_by'].includes(type)) return undefined;
  const id = type !== 'relation' && wanted === 'me' ? asker.me : requireId(wanted, path);
  return membership(operator, ids(Array.isArray(value) ? value : [value]), bare(id));
}

function words(value: Json): string {
  if (typeof value === 'string') return value;
  return asArray(value)
    .map((item) => asString(asObject(item)['plain_text']))
    .join('');
}

function ids(values: Json[]): Json[] {
  return values.map((each) => bare(asObject(each)['id'] ?? null));
}

function bare(value: Json): Json {
  return typeof value === 'string' ? value.replaceAll('-', '').toLowerCase() : value;
}

function textFits(value: string, operator: string, wanted: string): boolean | undefined {
  const [have, want] = [value.toLowerCase(), wanted.toLowerCase()];
  switch (operator) {
    case 'equals':
      return have === want;
    case 'does_not_equal':
      return have !== want;
    case 'contains':
      return have.includes(want);
    case 'does_not_contain':
      return !have.includes(want);
    case 'starts_with':
      return have.startsWith(want);
    case 'ends_with':
      return have.endsWith(want);
    default:
      return undefined;
  }
}

function numberFits(value: Json, operator: string, wanted: Json): boolean | undefined {
  const have = typeof value === 'number' ? value : Number.NaN;
  const want = Number(wanted);
  switch (operator) {
    case 'equals':
      return have === want;
    case 'does_not_equal':
      return have !== want;
    case 'greater_than':
      return have > want;
    case 'less_than':
      return have < want;
    case 'greater_than_or_equal_to':
      return have >= want;
    case 'less_than_or_equal_to':
      return have <= want;
    default:
      return undefined;
  }
}

/** A list of wanted values fits when one of them does. */
function equality(operator: string, value: Json, wanted: Json): boolean | undefined {
  const equals = Array.isArray(wanted) ? wanted.includes(value) : value === wanted;
  if (operator === 'equals') return equals;
  return operator === 'does_not_equal' ? !equals : undefined;
}

function membership(operator: string, values: Json[], wanted: Json): boolean | undefined {
  const contains = (Array.isArray(wanted) ? wanted : [wanted]).some((each) => values.includes(each));
  if (operator === 'contains') return contains;
  return operator === 'does_not_contain' ? !contains : undefined;
}

/** Whole days are compared as days, moments as moments. */
function dateFits(value: Json, operator: string, wanted: Json, now: number): boolean | undefined {
  const range = relativeRange(operator, now);
  const start = isObject(value) ? asString(value['start']) : asString(value);
  const known = ['equals', 'before', 'after', 'on_or_before', 'on_or_after'].includes(operator);
  if (range === undefined && !known) return undefined;
  if (start === '') return false;
  if (range !== undefined) {
    const at = Date.parse(start);
    return at >= range[0] && at <= range[1];
  }
  const want = relativeDay(asString(wanted), now);
  const whole = want.length === 10;
  const have = whole ? start.slice(0, 10) : Date.parse(start);
  const limit = whole ? want : Date.parse(want);
  if (operator === 'equals') return have === limit;
  if (operator === 'before') return have < limit;
  if (operator === 'after') return have > limit;
  return operator === 'on_or_before' ? have <= limit : have >= limit;
}

function relativeDay(wanted: string, now: number): string {
  const days: Record<string, number> = {
    today: 0,
    tomorrow: 1,
    yesterday: -1,
    one_week_ago: -7,
    one_week_from_now: 7,
    one_month_ago: -30,
    one_month_from_now: 30,
  };
  const shift = days[wanted];
  return shift === undefined ? wanted : new Date(now + shift * day).toISOString().slice(0, 10);
}

function relativeRange(operator: string, now: number): [number, number] | undefined {
  const today = Math.floor(now / day) * day;
  const weekStart = today - new Date(today).getUTCDay() * day;
  switch (operator) {
    case 'this_week':
      return [weekStart, weekStart + 7 * day - 1];
    case 'past_week':
      return [today - 7 * day, now];
    case 'past_month':
      return [today - 31 * day, now];
    case 'past_year':
      return [today - 366 * day, now];
    case 'next_week':
      return [now, today + 8 * day - 1];
    case 'next_month':
      return [now, today + 32 * day - 1];
    case 'next_year':
      return [now, today + 367 * day - 1];
    default:
      return undefined;
  }
}

function formulaFits(value: Json, condition: JsonObject, path: string, asker: Asker): boolean {
  const [kind] = Object.keys(condition);
  if (kind === undefined || !['string', 'number', 'checkbox', 'date'].includes(kind)) {
    throw shouldBe(`${path}.string`, 'defined', undefined);
  }
  const type = kind === 'string' ? 'rich_text' : kind;
  const inner = asObject(value)[kind === 'checkbox' ? 'boolean' : kind] ?? null;
  return conditionFits(type, inner, asObject(condition[kind]), `${path}.${kind}`, asker);
}

function rollupFits(value: Json, condition: JsonObject, path: string, asker: Asker): boolean {
  const [kind] = Object.keys(condition);
  if (kind === 'number' || kind === 'date') {
    const inner = asObject(value)[kind] ?? null;
    return conditionFits(kind, inner, asObject(condition[kind]), `${path}.${kind}`, asker);
  }
  if (kind !== 'any' && kind !== 'every' && kind !== 'none')
    throw shouldBe(`${path}.any`, 'defined', undefined);
  const [key, each] = Object.entries(asObject(condition[kind]))[0] ?? [];
  if (key === undefined || !rollupKeys.includes(key))
    throw shouldBe(`${path}.${kind}.rich_text`, 'defined', undefined);
  const test = (type: string, inner: Json): boolean =>
    conditionFits(type, inner, asObject(each), `${path}.${kind}.${key}`, asker);
  // Refused even when there is nothing to test.
  test(key, null);
  const fits = (item: Json): boolean => {
    const type = asString(asObject(item)['type']);
    return takesFilter(type, key) && test(type, asObject(item)[type] ?? null);
  };
  const items = asArray(asObject(value)['array']);
  return kind === 'any' ? items.some(fits) : kind === 'every' ? items.every(fits) : !items.some(fits);
}

/** Text of every kind is asked for as `rich_text`. */
const rollupKeys = [
  ...[
    'rich_text',
    'number',
    'checkbox',
    'select',
    'multi_select',
    'status',
    'relation',
    'date',
    'people',
    'files',
  ],
  ...['formula', 'unique_id', 'phone_number', 'url', 'email', 'title'],
];
