/**
 * Parses and checks conditions on the arguments of a tool call, such as `amount <= 50 and currency in ["EUR", "USD"]`.
 *
 *     condition  = both { "or" both }
 *     both       = comparison { "and" comparison }
 *     comparison = argument ( "=" | "==" | "!=" | "<" | "<=" | ">" | ">=" ) value
 *                | argument "in" "[" value { "," value } "]"
 *     argument   = name { "." name }
 *     value      = a decimal number without an exponent | a JSON string without \u | "true" | "false"
 *
 * No code is evaluated: a condition is parsed into comparisons, which are then checked one by one. A comparison is true
 * only if the argument exists and has the same type as the value. An argument of an unexpected type therefore never
 * satisfies a comparison.
 */

type Value = number | string | boolean;
/** The parser converts `==` to `=`. */
const operators = ['=', '!=', '<', '<=', '>', '>='] as const;
type Operator = (typeof operators)[number];

interface Comparison {
  /** The argument's name, followed by the names of the fields within it. */
  path: string[];
  /** `in` is stored as `=` with several values, one of which must match. */
  operator: Operator;
  values: Value[];
}

/** A condition as a list of alternatives. It is true if all comparisons of at least one alternative are true. */
export type Condition = Comparison[][];

/** Maximum characters of a condition, as in the schema of agents (src/contract/conversations/agents.ts). Chosen. */
const maxConditionChars = 500;
/** Maximum comparisons of a condition, and maximum values of one list. Chosen. */
const maxParts = 20;
/** Maximum names in the path of an argument. A condition with a longer path is invalid. Chosen. */
const maxDepth = 5;

/** Thrown if a condition is invalid. The message explains the problem to the author of the condition. */
export class ConditionProblem extends Error {}

interface Token {
  kind: 'name' | 'operator' | 'value' | 'mark';
  text: string;
}

const forms: readonly [Token['kind'], RegExp][] = [
  ['value', /-?\d{1,15}(?:\.\d{1,15})?(?![\w.])/y],
  ['value', /"(?:[^"\\\u0000-\u001f]|\\["\\/bfnrt])*"/y],
  ['name', /[A-Za-z_][\w-]*(?:\.[A-Za-z_][\w-]*)*/y],
  ['operator', /[<>]=?|!=|==?/y],
  ['mark', /[[\],]/y],
];

/**
 * Parses a condition.
 * @throws ConditionProblem if the condition is invalid or exceeds a maximum
 */
export function parseCondition(text: string): Condition {
  if (text.length > maxConditionChars)
    throw new ConditionProblem(`The condition is longer than ${maxConditionChars} characters.`);
  const tokens = tokensOf(text);
  let place = 0;
  const next = (): Token | undefined => tokens[place];
  const take = (wanted: string, fits: (token: Token) => boolean): Token => {
    const token = next();
    if (token === undefined || !fits(token))
      throw new ConditionProblem(
        `Expected ${wanted} ${token === undefined ? 'at the end' : `instead of ${token.text}`}. Example: amount <= 50`,
      );
    place += 1;
    return token;
  };
  const isWord = (word: string) => next()?.kind === 'name' && next()?.text === word;
  const value = (): Value => {
    const { text: found } = take('a number, a "text", true or false', isValue);
    if (found === 'true' || found === 'false') return found === 'true';
    return found.startsWith('"') ? String(JSON.parse(found)) : Number(found);
  };
  const comparison = (): Comparison => {
    const { text: name } = take(
      'the name of an argument',
      ({ kind, text: word }) => kind === 'name' && !isReserved(word),
    );
    const path = name.split('.');
    if (path.length > maxDepth) throw new ConditionProblem(`${name} has more than ${maxDepth} parts.`);
    if (isWord('in')) {
      place += 1;
      return { path, operator: '=', values: list() };
    }
    const { text: sign } = take('a comparison (=, !=, <, <=, >, >=, in)', ({ kind }) => kind === 'operator');
    const operator = operators.find((one) => one === sign) ?? '=';
    const against = value();
    if (typeof against !== 'number' && operator !== '=' && operator !== '!=')
      throw new ConditionProblem(`${name} ${sign} needs a number. Compare other values by = or !=.`);
    return { path, operator, values: [against] };
  };
  const list = (): Value[] => {
    take('[', ({ text: mark }) => mark === '[');
    const values = [value()];
    while (next()?.text === ',' && values.length < maxParts) {
      place += 1;
      values.push(value());
    }
    take(']', ({ text: mark }) => mark === ']');
    return values;
  };
  const condition: Condition = [[comparison()]];
  let count = 1;
  while (isWord('and') || isWord('or')) {
    const isAlternative = isWord('or');
    place += 1;
    count += 1;
    if (count > maxParts) throw new ConditionProblem(`A condition has at most ${maxParts} comparisons.`);
    if (isAlternative) condition.push([comparison()]);
    else condition.at(-1)?.push(comparison());
  }
  if (next() !== undefined) take('and, or, or the end', () => false);
  return condition;
}

/** @throws ConditionProblem if no token can begin at some place; the message quotes the text there */
function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  for (;;) {
    while (text[at] === ' ' || text[at] === '\n' || text[at] === '\t') at += 1;
    if (at >= text.length) return tokens;
    const token = tokenAt(text, at);
    if (token === undefined)
      throw new ConditionProblem(
        `Nothing can begin with ${text.slice(at, at + 10)} here. Example: amount <= 50`,
      );
    tokens.push(token);
    at += token.text.length;
  }
}

function tokenAt(text: string, at: number): Token | undefined {
  for (const [kind, form] of forms) {
    form.lastIndex = at;
    const found = form.exec(text)?.[0];
    if (found !== undefined) return { kind, text: found };
  }
  return undefined;
}

const isValue = ({ kind, text }: Token): boolean => kind === 'value' || text === 'true' || text === 'false';
const isReserved = (word: string): boolean => ['and', 'or', 'in', 'true', 'false'].includes(word);

/** True if the arguments satisfy the condition. */
export function holds(condition: Condition, input: unknown): boolean {
  return condition.some((all) =>
    all.every((comparison) => isTrue(comparison, argumentAt(input, comparison.path))),
  );
}

/**
 * @returns the value of the argument; undefined if there is no such argument. Reads neither inherited properties nor
 * elements of lists.
 */
function argumentAt(input: unknown, path: readonly string[]): unknown {
  let found: unknown = input;
  for (const name of path) {
    if (typeof found !== 'object' || found === null || Array.isArray(found) || !Object.hasOwn(found, name))
      return undefined;
    found = Reflect.get(found, name);
  }
  return found;
}

/**
 * Compares an argument with a value of the same type; `isTrue` has checked the type. The parser allows `<`, `<=`, `>`
 * and `>=` for numbers only.
 */
const compare: Readonly<Record<Operator, (argument: Value, value: Value) => boolean>> = {
  '=': (argument, value) => argument === value,
  '!=': (argument, value) => argument !== value,
  '<': (argument, value) => argument < value,
  '<=': (argument, value) => argument <= value,
  '>': (argument, value) => argument > value,
  '>=': (argument, value) => argument >= value,
};

function isTrue({ operator, values }: Comparison, argument: unknown): boolean {
  return values.some((value) => isOfType(argument, value) && compare[operator](argument, value));
}

const isOfType = <V extends Value>(argument: unknown, value: V): argument is V =>
  typeof argument === typeof value;
