/** An MCP client that knows only the endpoint's address: what the SDK's client keeps between two steps of OAuth. */
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js';
import type {
  OAuthClientInformationMixed,
  OAuthClientMetadata,
  OAuthTokens,
} from '@modelcontextprotocol/sdk/shared/auth.js';
import type { ConsoleCaller } from './console-person.ts';

export class RememberingProvider implements OAuthClientProvider {
  readonly redirectUrl: string;
  readonly clientMetadata: OAuthClientMetadata;
  client: OAuthClientInformationMixed | undefined;
  kept: OAuthTokens | undefined;
  /** The URL that a person must open; set when the client asks for it. */
  address: URL | undefined;
  #verifier = '';

  constructor(redirectUrl: string, client_name: string) {
    this.redirectUrl = redirectUrl;
    this.clientMetadata = { client_name, redirect_uris: [redirectUrl] };
  }
  state = () => 'a state & more';
  clientInformation = () => this.client;
  saveClientInformation = (client: OAuthClientInformationMixed) => void (this.client = client);
  tokens = () => this.kept;
  saveTokens = (tokens: OAuthTokens) => void (this.kept = tokens);
  redirectToAuthorization = (url: URL) => void (this.address = url);
  saveCodeVerifier = (verifier: string) => void (this.#verifier = verifier);
  codeVerifier = () => this.#verifier;
  invalidateCredentials = (scope: string) => {
    if (scope === 'all' || scope === 'tokens') this.kept = undefined;
    if (scope === 'all' || scope === 'client') this.client = undefined;
  };
}

export interface Answer {
  status: number;
  headers: Headers;
  body: Record<string, unknown>;
}

/** The same steps one by one, for what the SDK's client would never send. */
export class OAuthSteps {
  readonly origin: string;
  readonly redirectUri = 'http://127.0.0.1:33418/callback';
  readonly verifier = randomBytes(32).toString('base64url');
  clientId = '';

  constructor(apiUrl: string) {
    this.origin = new URL(apiUrl).origin;
  }

  get challenge(): string {
    return createHash('sha256').update(this.verifier).digest('base64url');
  }

  async register(metadata: Record<string, unknown> = {}): Promise<Answer> {
    const body = { client_name: 'A program', redirect_uris: [this.redirectUri], ...metadata };
    const answer = await this.#send('/oauth/register', JSON.stringify(body), 'application/json');
    if (answer.status === 201) this.clientId = String(answer.body['client_id']);
    return answer;
  }

  /** @returns where the browser is sent, or the refusal */
  async authorize(change: Record<string, string> = {}): Promise<Answer> {
    const url = new URL(`${this.origin}/oauth/authorize`);
    url.search = new URLSearchParams({
      ...{ response_type: 'code', client_id: this.clientId, redirect_uri: this.redirectUri },
      ...{ code_challenge: this.challenge, code_challenge_method: 'S256', state: 's' },
      ...change,
    }).toString();
    return await answerOf(await fetch(url, { redirect: 'manual' }));
  }

  /** Sends the request of the console for a member. */
  async consent(
    member: ConsoleCaller,
    organizationId: string,
    change: Record<string, unknown> = {},
  ): Promise<Answer> {
    const { status, headers, body } = await member.call('POST', '/mcp-grants', {
      ...{ client_id: this.clientId, redirect_uri: this.redirectUri, code_challenge: this.challenge },
      ...{ state: 's', organization_id: organizationId, allow: true, ...change },
    });
    return { status, headers, body: body as Record<string, unknown> };
  }

  async code(member: ConsoleCaller, organizationId: string): Promise<string> {
    const { status, body } = await this.consent(member, organizationId);
    assert.equal(status, 200, JSON.stringify(body));
    const code = new URL(String(body['redirect_to'])).searchParams.get('code');
    assert.ok(code);
    return code;
  }

  async exchange(code: string, change: Record<string, string> = {}): Promise<Answer> {
    return await this.token({
      ...{ grant_type: 'authorization_code', code, code_verifier: this.verifier },
      redirect_uri: this.redirectUri,
      ...change,
    });
  }

  async refresh(refreshToken: string, change: Record<string, string> = {}): Promise<Answer> {
    return await this.token({ grant_type: 'refresh_token', refresh_token: refreshToken, ...change });
  }

  async token(fields: Record<string, string>): Promise<Answer> {
    return await this.#form('/oauth/token', fields);
  }

  async revoke(token: string): Promise<Answer> {
    return await this.#form('/oauth/revoke', { token });
  }

  /** tools/list at the endpoint. */
  async use(accessToken: string | undefined): Promise<Answer> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    const authorization = accessToken === undefined ? {} : { authorization: `Bearer ${accessToken}` };
    return await this.#send('/v1/mcp', body, 'application/json', authorization);
  }

  async #form(path: string, fields: Record<string, string>): Promise<Answer> {
    const form = new URLSearchParams({ client_id: this.clientId, ...fields });
    return await this.#send(path, form.toString(), 'application/x-www-form-urlencoded');
  }

  async #send(path: string, body: string, type: string, more: Record<string, string> = {}): Promise<Answer> {
    const headers = { 'content-type': type, accept: 'application/json, text/event-stream', ...more };
    return await answerOf(await fetch(`${this.origin}${path}`, { method: 'POST', body, headers }));
  }
}

async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
  const body = (isJson ? JSON.parse(text) : { text }) as Record<string, unknown>;
  return { status: response.status, headers: response.headers, body };
}
