/**
 * Parses and fills the URL templates of HTTP tools. Scheme and host are literal. A variable fills a part of one path
 * segment or of one query parameter, so no argument can change the host, add a segment or leave the path.
 */

/** Literal text, or the name of a variable. */
type Part = { literal: string } | { variable: string };

export interface UrlTemplate {
  /** Scheme, host and port, for example `https://api.example.com`. */
  origin: string;
  path: readonly Part[];
  /** The query pairs, such as `name={value}`, each as a list of its parts. */
  query: readonly (readonly Part[])[];
  /** Names of the variables in the path. A call must give each of them a value that is not empty. */
  inPath: readonly string[];
  /** Names of all variables, in the path and in the query. */
  variables: readonly string[];
}

export type ReadTemplate = { kind: 'template'; template: UrlTemplate } | { kind: 'refused'; message: string };

/** Matches origin, path and query. The origin must not contain a brace, so no variable can be part of it. */
const form = /^(https?:\/\/[^/?#{}@\\\s]+)(\/[^?#\\\s]*)?(\?[^#\\\s]*)?$/i;
const variable = /\{([^{}]*)\}/g;
const variableName = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;
const maxVariables = 20;

/** @returns the template; `refused` with a message for its author if it is invalid */
export function readUrlTemplate(text: string): ReadTemplate {
  const [, origin, path = '/', query = ''] = form.exec(text) ?? [];
  if (origin === undefined) {
    return refused(
      'must be https://host/path?query, with {variables} in the path and the query only, and without credentials, spaces and #',
    );
  }
  const pathParts = partsOf(path);
  const pairs = query === '' || query === '?' ? [] : query.slice(1).split('&').map(partsOf);
  if (pathParts === undefined || pairs.some((pair) => pair === undefined))
    return refused('has a { or } that encloses no name of letters, digits, _ and -');
  const queryParts = pairs.filter((pair) => pair !== undefined);
  const inPath = variablesOf(pathParts);
  const variables = [...new Set([...inPath, ...queryParts.flatMap(variablesOf)])];
  if (variables.length > maxVariables) return refused(`has more than ${String(maxVariables)} variables`);
  if (dotSegment(path)) return refused('must not have . or .. as a path segment');
  return { kind: 'template', template: { origin, path: pathParts, query: queryParts, inPath, variables } };
}

export type FilledUrl = { kind: 'url'; url: string } | { kind: 'refused'; message: string };

/**
 * Fills a template with arguments. Omits each query pair with a variable that has no argument; null counts as no
 * argument.
 * @param more further arguments, which are appended to the query; a list becomes one pair for each element
 * @returns the URL; `refused` with a message for the model if an argument cannot be part of the path
 */
export function fillUrl(
  { origin, path, query }: UrlTemplate,
  given: Readonly<Record<string, unknown>>,
  more: Readonly<Record<string, unknown>> = {},
): FilledUrl {
  let filled = '';
  for (const part of path) {
    if ('literal' in part) {
      filled += part.literal;
      continue;
    }
    const value = textOf(given[part.variable]);
    if (value === '') return refused(`${part.variable} must not be empty: it is part of the URL's path.`);
    if (/[/\\\p{Cc}]/u.test(value))
      return refused(`${part.variable} must not contain a slash, a backslash or a control character.`);
    filled += encoded(value);
  }
  if (dotSegment(filled)) return refused('The arguments must not make . or .. a segment of the path.');
  const pairs = query
    .filter((pair) => variablesOf(pair).every((name) => given[name] != null))
    .map((pair) =>
      pair.map((part) => ('literal' in part ? part.literal : encoded(textOf(given[part.variable])))).join(''),
    );
  for (const [name, value] of Object.entries(more)) {
    if (value == null) continue;
    for (const one of Array.isArray(value) ? value : [value])
      pairs.push(`${encoded(name)}=${encoded(textOf(one))}`);
  }
  return { kind: 'url', url: `${origin}${filled}${pairs.length === 0 ? '' : `?${pairs.join('&')}`}` };
}

const refused = (message: string) => ({ kind: 'refused', message }) as const;

/** @returns the literal texts and variables of the text, in order; undefined if a brace belongs to no variable */
function partsOf(text: string): Part[] | undefined {
  const parts: Part[] = [];
  let at = 0;
  for (const match of text.matchAll(variable)) {
    const [whole, name = ''] = match;
    if (!variableName.test(name)) return undefined;
    if (match.index > at) parts.push({ literal: text.slice(at, match.index) });
    parts.push({ variable: name });
    at = match.index + whole.length;
  }
  if (at < text.length) parts.push({ literal: text.slice(at) });
  return parts.some((part) => 'literal' in part && /[{}]/.test(part.literal)) ? undefined : parts;
}

const variablesOf = (parts: readonly Part[]): string[] =>
  parts.flatMap((part) => ('variable' in part ? [part.variable] : []));

/**
 * True if a segment of the path is `.` or `..`, percent-encoded or not. A URL parser would remove such a segment and,
 * for `..`, also the segment before it.
 */
const dotSegment = (path: string): boolean =>
  path.split('/').some((segment) => /^(?:\.|%2e){1,2}$/i.test(segment));

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Percent-encodes all but the unreserved characters of RFC 3986. An unpaired surrogate becomes U+FFFD. */
function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
