/**
 * Converts the operations of an OpenAPI document to definitions of HTTP tools. Runs in a separate thread
 * (openapi-thread.ts), because parsing an uploaded document may take a long time. Follows no references to other
 * documents.
 */
import { parse } from 'yaml';
import { PublicError } from '../../contract/errors.ts';
import {
  maxOperations,
  type OpenapiOperations,
  type ReadOpenapi,
} from '../../contract/http-tools/http-tools.ts';
import { toolParameters } from '../../domain/http-tools/openapi-schema.ts';
import {
  isObject,
  listIn,
  objectIn,
  referenced,
  textIn,
  type Json,
} from '../../domain/http-tools/openapi-node.ts';
import { checkHttpTool } from './check-http-tool.ts';

type Operation = OpenapiOperations['operations'][number];
const methods = ['get', 'post', 'put', 'patch', 'delete'] as const;
const upper = { get: 'GET', post: 'POST', put: 'PUT', patch: 'PATCH', delete: 'DELETE' } as const;
const effects = { get: 'read', post: 'write', put: 'write', patch: 'write', delete: 'destructive' } as const;

/**
 * Thrown if the document is not OpenAPI 3, or if the base URL of the tools cannot be used. The message is for the
 * person who uploaded the document.
 */
export class OpenapiProblem extends Error {
  /** Name of the request's field that the person must change. */
  readonly field: 'document' | 'base_url';

  constructor(message: string, field: 'document' | 'base_url' = 'document', cause?: unknown) {
    super(message, { cause });
    this.field = field;
  }
}

/**
 * Converts the first `maxOperations` operations of a document to definitions of HTTP tools.
 * @param form.base_url base URL of the tools; by default, the URL of the document's first server
 * @returns the operations. An operation that cannot become a tool has null as `tool`, and the reason in `problem`.
 * @throws OpenapiProblem if the document is not OpenAPI 3 in JSON or YAML, or if the base URL does not begin with
 * http:// or https://
 */
export function readOperations({ document, base_url }: ReadOpenapi): OpenapiOperations {
  const root = parsed(document);
  if (!/^3\.\d/.test(textIn(root, 'openapi')))
    throw new OpenapiProblem('This is not an OpenAPI 3 document: it has no field openapi with 3.0 or later.');
  const base = (base_url ?? serverOf(root)).replace(/\/$/, '');
  if (!/^https?:\/\//i.test(base)) throw new OpenapiProblem(baseProblem(base_url, base), 'base_url');
  const operations: Operation[] = [];
  const taken = new Set<string>();
  for (const [path, given] of Object.entries(objectIn(root, 'paths'))) {
    const item = referenced(root, given);
    for (const method of methods) {
      const operation = item[method];
      if (!isObject(operation)) continue;
      if (operations.length >= maxOperations) break;
      operations.push(read(path, method, item, operation));
    }
  }
  const title = textIn(objectIn(root, 'info'), 'title').slice(0, 200);
  return { title, base_url: base, headers: securityHeaders(root), operations };

  function read(path: string, method: (typeof methods)[number], item: Json, operation: Json): Operation {
    const summary = [textIn(operation, 'summary'), textIn(operation, 'description')]
      .filter((text) => text !== '')
      .join('\n')
      .slice(0, 1000)
      .toWellFormed();
    const about = { method: upper[method], path: path.slice(0, 1000), summary };
    const made = toolParameters(root, item, operation);
    if (made.kind === 'refused') return { ...about, tool: null, problem: made.message };
    const tool = {
      name: nameFor(textIn(operation, 'operationId') || `${method}_${path}`, taken),
      description: summary === '' ? `${about.method} ${about.path}` : summary,
      method: about.method,
      url: `${base}${path}${made.query.length === 0 ? '' : `?${made.query.map((name) => `${encodeURIComponent(name)}={${name}}`).join('&')}`}`,
      parameters: made.parameters,
      effect: effects[method],
    };
    const problem = problemOf(tool);
    if (problem !== undefined) return { ...about, tool: null, problem };
    taken.add(tool.name.toLowerCase());
    return { ...about, tool, problem: null };
  }
}

/**
 * @param given the caller's `base_url`; undefined if the request has none
 * @param base the URL of the document's first server if `given` is undefined; '' if there is no server
 * @returns why the base URL cannot be used
 */
function baseProblem(given: string | undefined, base: string): string {
  if (given !== undefined) return 'must begin with https:// or http://';
  const only = base === '' ? '' : `, only ${base.slice(0, 100)}`;
  return `The document names no server with an absolute URL${only}. Enter the base URL, for example https://api.example.com.`;
}

/** @throws OpenapiProblem if the document is neither JSON nor YAML, or is not an object */
function parsed(document: string): Json {
  let value: unknown;
  try {
    // If a key occurs several times, its last value counts, as in JSON. The YAML parser's check for duplicate keys is
    // off, because it takes time quadratic in the number of keys.
    value = document.trimStart().startsWith('{')
      ? JSON.parse(document)
      : parse(document, { uniqueKeys: false });
  } catch (cause) {
    const why = cause instanceof Error ? cause.message.split('\n', 1)[0] : '';
    const message = `The document is neither JSON nor YAML: ${why ?? ''}`.slice(0, 300);
    throw new OpenapiProblem(message, 'document', cause);
  }
  if (!isObject(value)) throw new OpenapiProblem('The document is neither a JSON nor a YAML object.');
  return value;
}

/** @returns the URL of the document's first server, with the default values of its variables; '' if it has no server */
function serverOf(root: Json): string {
  const [first] = listIn(root, 'servers');
  if (!isObject(first)) return '';
  const variables = objectIn(first, 'variables');
  return textIn(first, 'url')
    .slice(0, 1000)
    .replace(/\{([^{}]*)\}/g, (_, name: string) => textIn(objectIn(variables, name), 'default'));
}

/** @returns the names of the headers that carry the credentials of the document's first 20 security schemes */
function securityHeaders(root: Json): string[] {
  const schemes = Object.values(objectIn(objectIn(root, 'components'), 'securitySchemes')).slice(0, 20);
  const names = schemes.map((given) => {
    const scheme = referenced(root, given);
    if (textIn(scheme, 'type') === 'apiKey')
      return textIn(scheme, 'in') === 'header' ? textIn(scheme, 'name') : '';
    return ['http', 'oauth2', 'openIdConnect'].includes(textIn(scheme, 'type')) ? 'Authorization' : '';
  });
  return [...new Set(names.filter((name) => name !== '').map((name) => name.slice(0, 100)))];
}

function problemOf(tool: NonNullable<Operation['tool']>): string | undefined {
  const usual = { headers: [], timeout_seconds: 15, answer_fields: [], answer_max_chars: 8000 };
  try {
    checkHttpTool({ ...tool, ...usual });
    return tool.url.length > 2000 ? 'Its URL is too long.' : undefined;
  } catch (error) {
    if (!(error instanceof PublicError)) throw error;
    const [first] = error.extra.details ?? [];
    return first === undefined ? error.message : `${first.path} ${first.message}.`.slice(0, 500);
  }
}

/**
 * @param wanted the operation's id or, if it has none, its method and path
 * @param taken names of the other tools, in lower case
 * @returns a name that resembles `wanted` and is not taken. It begins with a letter, and has only letters, digits and
 * underscores.
 */
function nameFor(wanted: string, taken: ReadonlySet<string>): string {
  const plain = wanted.replace(/[^A-Za-z0-9]+/g, '_').replace(/^[^A-Za-z]+/, '');
  const base = plain.slice(0, 56).replace(/_$/, '') || 'operation';
  for (let n = 1; ; n += 1) {
    const name = n === 1 ? base : `${base}_${n}`;
    if (!taken.has(name.toLowerCase())) return name;
  }
}
