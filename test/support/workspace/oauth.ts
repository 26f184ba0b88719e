/** OAuth 2.0: authorization codes, tokens, refresh with rotation, revoke, introspect. */
import { randomBytes } from 'node:crypto';
import type { Answer } from './call.ts';
import { newRandomId } from './ids.ts';
import { asObject, asString, type Json, type JsonObject } from './json.ts';
import type { Incoming } from './protocol.ts';
import type { Bot, Capability } from './state.ts';
import { showUser } from './user-answer.ts';
import type { World } from './world.ts';

export interface OAuthClient {
  clientId: string;
  clientSecret: string;
  redirectUris: string[];
  name: string;
}

export const allCapabilities: Capability[] = [
  'read_content',
  'insert_content',
  'update_content',
  'read_comments',
  'insert_comments',
  'read_users',
];

const codeLifetimeMs = 600_000;

/** One bot per client, workspace and person: authorising again gives the same bot and adds pages. */
export function grant(
  world: World,
  client: OAuthClient,
  choice: { person: string; pages: string[]; redirectUri: string | null },
): string {
  const person = world.state.people.get(choice.person);
  if (person === undefined) throw new Error(`No person ${choice.person} in the emulator.`);
  const known = [...world.state.bots.values()].find(
    (bot) => bot.client === client.clientId && bot.owner === person.id && bot.workspace === person.workspace,
  );
  const bot: Bot = known ?? {
    kind: 'bot',
    id: newRandomId(),
    workspace: person.workspace,
    name: client.name,
    owner: person.id,
    client: client.clientId,
    capabilities: [...allCapabilities],
    shared: [],
  };
  bot.shared = [...new Set([...bot.shared, ...choice.pages])];
  world.state.bots.set(bot.id, bot);
  const code = newRandomId();
  world.state.codes.set(code, {
    bot: bot.id,
    client: client.clientId,
    redirectUri: choice.redirectUri,
    expiresAt: world.now() + codeLifetimeMs,
  });
  return code;
}

function basicClient(clients: readonly OAuthClient[], header: string): OAuthClient | undefined {
  const encoded = /^Basic (\S+)$/.exec(header)?.[1];
  if (encoded === undefined) return undefined;
  const [id, secret] = Buffer.from(encoded, 'base64').toString().split(':');
  return clients.find((client) => client.clientId === id && client.clientSecret === secret);
}

function refused(status: number, error: string, description?: string): Answer {
  return {
    status,
    body: { error, ...(description === undefined ? {} : { error_description: description }) },
  };
}

export function answerOAuth(
  world: World,
  clients: readonly OAuthClient[],
  incoming: Incoming,
): Answer | undefined {
  if (incoming.method !== 'POST') return undefined;
  const client = basicClient(clients, String(incoming.headers['authorization'] ?? ''));
  const body = asObject(incoming.body);
  switch (incoming.path) {
    case '/v1/oauth/token':
      return client === undefined ? refused(401, 'invalid_client') : token(world, client, body);
    case '/v1/oauth/revoke':
      return client === undefined ? refused(401, 'invalid_client') : revoke(world, client, body);
    case '/v1/oauth/introspect':
      return client === undefined ? refused(401, 'invalid_client') : introspect(world, body);
    default:
      return undefined;
  }
}

function token(world: World, client: OAuthClient, body: JsonObject): Answer {
  if (body['grant_type'] === 'authorization_code') return byCode(world, client, body);
  if (body['grant_type'] === 'refresh_token')
    return byRefresh(world, client, asString(body['refresh_token']));
  return refused(400, 'unsupported_grant_type', 'grant_type must be authorization_code or refresh_token.');
}

function byCode(world: World, client: OAuthClient, body: JsonObject): Answer {
  const name = asString(body['code']);
  const code = world.state.codes.get(name);
  if (code?.client !== client.clientId || code.expiresAt <= world.now()) {
    return refused(400, 'invalid_grant', 'The authorization code is invalid, expired or was used before.');
  }
  if (!redirectFits(client, code.redirectUri, body['redirect_uri'])) {
    return refused(400, 'invalid_grant', 'redirect_uri does not match the one of the authorization request.');
  }
  world.state.codes.delete(name);
  return issued(world, client, code.bot);
}

/** Present when the authorize address had it or several are registered; otherwise absent. */
function redirectFits(client: OAuthClient, asked: string | null, given: Json | undefined): boolean {
  if (asked !== null) return given === asked;
  if (client.redirectUris.length > 1) return client.redirectUris.includes(asString(given));
  return given === undefined;
}

function byRefresh(world: World, client: OAuthClient, name: string): Answer {
  const pair = world.state.refreshTokens.get(name);
  if (pair?.client !== client.clientId)
    return refused(400, 'invalid_grant', 'The refresh token is invalid or was used before.');
  world.state.refreshTokens.delete(name);
  world.state.tokens.delete(pair.accessToken);
  return issued(world, client, pair.bot);
}

function issued(world: World, client: OAuthClient, botId: string): Answer {
  const bot = world.state.bots.get(botId);
  if (bot === undefined) return refused(400, 'invalid_grant', 'The connection was removed.');
  const accessToken = `ntn_${randomBytes(23).toString('hex')}`;
  const refreshToken = `nrt_${randomBytes(23).toString('hex')}`;
  world.state.tokens.set(accessToken, bot.id);
  world.state.refreshTokens.set(refreshToken, { bot: bot.id, client: client.clientId, accessToken });
  return {
    status: 200,
    body: {
      access_token: accessToken,
      token_type: 'bearer',
      refresh_token: refreshToken,
      bot_id: bot.id,
      workspace_id: bot.workspace,
      workspace_name: world.state.workspaces.get(bot.workspace)?.name ?? null,
      workspace_icon: null,
      owner:
        bot.owner === null
          ? { type: 'workspace', workspace: true }
          : { type: 'user', user: showUser(world, bot.owner) },
      duplicated_template_id: null,
    },
  };
}

function revoke(world: World, client: OAuthClient, body: JsonObject): Answer {
  const name = asString(body['token']);
  for (const [refresh, pair] of world.state.refreshTokens) {
    if (pair.client !== client.clientId || (pair.accessToken !== name && refresh !== name)) continue;
    world.state.tokens.delete(pair.accessToken);
    world.state.refreshTokens.delete(refresh);
  }
  return { status: 200, body: {} };
}

function introspect(world: World, body: JsonObject): Answer {
  const name = asString(body['token']);
  const active = world.state.tokens.has(name) || world.state.refreshTokens.has(name);
  return {
    status: 200,
    body: active ? { active, scope: '', iat: Math.floor(world.now() / 1000) } : { active },
  };
}
