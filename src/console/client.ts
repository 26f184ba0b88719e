/** Calls of the console's own endpoints. Shapes are those of the contract; the server has checked what it sends. */
import type { ErrorDetail } from '../contract/errors.ts';

/** A refusal in the words of the server. */
export class ApiProblem extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: readonly ErrorDetail[];

  constructor(status: number, code: string, sentence: string, details: readonly ErrorDetail[] = []) {
    super(sentence);
    this.name = 'ApiProblem';
    this.status = status;
    this.code = code;
    this.details = details;
  }
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

interface Options {
  body?: unknown;
  query?: Record<string, string | number | undefined>;
  signal?: AbortSignal;
}

/** @throws ApiProblem when the server refuses, or cannot be reached */
export async function call<T>(method: Method, path: string, options: Options = {}): Promise<T> {
  const { body, query, signal } = options;
  const url = new URL(`/console/api${path}`, window.location.origin);
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined && value !== '') url.searchParams.set(name, String(value));
  }
  let response: Response;
  try {
    response = await fetch(url, {
      method,
      ...(body !== undefined && {
        body: JSON.stringify(body),
        headers: { 'Content-Type': 'application/json' },
      }),
      ...(signal && { signal }),
    });
  } catch (cause) {
    if (signal?.aborted === true) throw cause;
    throw new ApiProblem(0, 'unreachable', 'The server cannot be reached. Check your connection.');
  }
  const text = await response.text();
  const answer: unknown = text === '' ? undefined : JSON.parse(text);
  if (!response.ok) throw problemFrom(response.status, answer);
  // eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- the server has parsed it by the same schema
  return answer as T;
}

function problemFrom(status: number, answer: unknown): ApiProblem {
  const body = isRecord(answer) ? answer : {};
  const { code, error, details } = body;
  return new ApiProblem(
    status,
    typeof code === 'string' ? code : 'unknown',
    typeof error === 'string' ? error : `The server answered ${String(status)}.`,
    Array.isArray(details) ? details.filter(isDetail) : [],
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function isDetail(value: unknown): value is ErrorDetail {
  return isRecord(value) && typeof value['path'] === 'string' && typeof value['message'] === 'string';
}
