/** Recorded exchanges: files of `{interactions:[{request, response}]}` below a folder. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { asArray, asObject, asString, type Json } from '../json.ts';

export interface Exchange {
  method: string;
  /** Path and query. */
  path: string;
  version: string;
  authorised: boolean;
  body: Json;
  status: number;
  answer: Json;
}

export interface Recording {
  name: string;
  exchanges: Exchange[];
}

export function recordings(folder: string): Recording[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.json'),
  );
  return files.sort().map((name) => {
    const content = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Json;
    return { name, exchanges: asArray(asObject(content)['interactions']).map(exchange) };
  });
}

function exchange(each: Json): Exchange {
  const request = asObject(asObject(each)['request']);
  const response = asObject(asObject(each)['response']);
  const url = new URL(asString(request['uri']), 'https://unknown');
  const headers = asObject(request['headers']);
  const answer = response['body'] ?? null;
  return {
    method: asString(request['method']),
    path: url.host === 'api.notion.com' ? `${url.pathname}${url.search}` : '',
    version: asString(headers['notion-version']),
    authorised: asObject(answer)['code'] !== 'unauthorized',
    body: request['body'] ?? null,
    status: Number(response['status']),
    answer,
  };
}
