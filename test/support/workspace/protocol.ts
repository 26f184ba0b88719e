/** Checks before a route, in the order of the real service: path, JSON, token, version, rate, size. */
import type { Answer, Call } from './call.ts';
import { ApiError, invalid, invalidUrl, shouldBe, unauthorized } from './errors.ts';
import type { Json } from './json.ts';
import type { RateLimiter } from './rate-limiter.ts';
import { matchRoute } from './routes.ts';
import type { Bot } from './state.ts';
import type { World } from './world.ts';

/** Versions with the shapes of 2025-09-03 or 2026-03-11 are served; older known ones are refused in plain words. */
export const servedVersions = ['2025-09-03', '2026-03-11'];
const olderVersions = ['2021-05-11', '2021-05-13', '2021-08-16', '2022-02-22', '2022-06-28'];
const payloadLimit = 500_000;

export interface Incoming {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: Record<string, string | string[] | undefined>;
  raw: Buffer;
  /** null without a body, undefined when the body should be JSON and is not. */
  body: Json | undefined;
}

export async function answerApi(world: World, limiter: RateLimiter, incoming: Incoming): Promise<Answer> {
  const route = matchRoute(incoming.method, incoming.path);
  if (route === undefined) throw invalidUrl();
  if (incoming.body === undefined) throw new ApiError(400, 'invalid_json', 'Error parsing JSON body.');
  const bot = authenticate(world, incoming.headers['authorization']);
  const version = checkedVersion(world, bot, incoming);
  limiter.take(world, bot);
  const contentType = String(incoming.headers['content-type'] ?? '');
  if (!contentType.startsWith('multipart/') && incoming.raw.length > payloadLimit) {
    throw invalid(
      `Request body too large: ${incoming.raw.length} bytes, the limit is ${payloadLimit} bytes.`,
    );
  }
  const call: Call = {
    world,
    bot,
    params: route.params,
    query: incoming.query,
    body: incoming.body,
    raw: incoming.raw,
    contentType,
    version,
  };
  const result = await route.handler(call);
  return isAnswer(result) ? result : { status: 200, body: result };
}

function isAnswer(result: object): result is Answer {
  return 'status' in result && 'body' in result && typeof result.status === 'number';
}

function authenticate(world: World, header: string | string[] | undefined): Bot {
  const token = /^Bearer (\S+)$/.exec(String(header ?? ''))?.[1];
  if (token === undefined) throw unauthorized('Authorization header must use the format "Bearer <token>".');
  const bot = world.state.bots.get(world.state.tokens.get(token) ?? '');
  if (bot === undefined) throw unauthorized('API token is invalid.');
  return bot;
}

function checkedVersion(world: World, bot: Bot, incoming: Incoming): string {
  const given = incoming.headers['notion-version'];
  if (typeof given !== 'string') {
    throw new ApiError(
      400,
      'missing_version',
      'Notion-Version header failed validation: Notion-Version header should be defined, instead was `undefined`.',
    );
  }
  if (servedVersions.includes(given)) return given;
  if (!olderVersions.includes(given)) {
    const known = [...olderVersions, ...servedVersions].map((each) => `\`"${each}"\``).join(', ');
    throw shouldBe('Notion-Version header', known, given);
  }
  refuseSeveralSources(world, bot, incoming);
  throw invalid(
    `This emulator serves Notion-Version ${servedVersions.join(' and ')}; ${given} is known but not emulated.`,
  );
}

function refuseSeveralSources(world: World, bot: Bot, incoming: Incoming): void {
  const id = /^\/v1\/databases\/([0-9a-f-]+)/.exec(incoming.path)?.[1] ?? '';
  const database = world.state.entities.get(id);
  if (database?.kind !== 'database' || database.workspace !== bot.workspace || database.sources.length < 2)
    return;
  throw invalid('Databases with multiple data sources are not supported in this API version.', {
    additional_data: {
      error_type: 'multiple_data_sources_for_database',
      child_data_source_ids: database.sources,
      minimum_api_version: '2025-09-03',
    },
  });
}
