/**
 * OAuth 2.0 client of the workspace: builds authorization URLs, exchanges codes for tokens, and refreshes and revokes
 * tokens.
 */
import { z } from 'zod';
import { failureOfAnswer, WorkspaceOutcomeUnknown } from './failures.ts';
import { createLimitedFetch } from './fetch.ts';

interface OAuthSettings {
  clientId: string;
  clientSecret: string;
  /**
   * The redirect URL that is registered with the integration. Sent with the authorization URL and with the code
   * exchange.
   */
  redirectUrl: string;
  /** Origin of the workspace's API. */
  apiUrl: string;
}

const grant = z.looseObject({
  access_token: z.string().min(1),
  refresh_token: z.string().nullish(),
  bot_id: z.string(),
  workspace_id: z.string(),
  workspace_name: z.string().nullish(),
});
export type OAuthGrant = z.infer<typeof grant>;

const timeoutMs = 15_000;
const maxAnswerBytes = 1_000_000;

export class DocsOAuth {
  readonly #settings: OAuthSettings;

  constructor(settings: OAuthSettings) {
    this.#settings = settings;
  }

  /** Returns the URL of the workspace's consent page. Its redirect repeats `state`. */
  authorizationUrl(state: string): string {
    const url = new URL('/v1/oauth/authorize', this.#settings.apiUrl);
    const { clientId: client_id, redirectUrl: redirect_uri } = this.#settings;
    const query = { client_id, redirect_uri, response_type: 'code', owner: 'user', state };
    url.search = new URLSearchParams(query).toString();
    return url.href;
  }

  /**
   * Exchanges an authorization code for tokens.
   * @throws a failure of client/failures.ts, for example WorkspaceRefused if the code is expired, used or unknown
   */
  async exchange(code: string): Promise<OAuthGrant> {
    const redirect_uri = this.#settings.redirectUrl;
    return await this.#token({ grant_type: 'authorization_code', code, redirect_uri });
  }

  /**
   * Exchanges a refresh token for a new pair of tokens. The old pair becomes invalid, even if the response is lost.
   * @throws the same failures as `exchange`
   */
  async refresh(refreshToken: string): Promise<OAuthGrant> {
    return await this.#token({ grant_type: 'refresh_token', refresh_token: refreshToken });
  }

  /**
   * Revokes a token at the workspace.
   * @throws a failure of client/failures.ts
   */
  async revoke(token: string): Promise<void> {
    await this.#post('/v1/oauth/revoke', { token });
  }

  /** Requests tokens. @throws WorkspaceOutcomeUnknown if the answer has none; the errors of `#post` */
  async #token(body: Record<string, string>): Promise<OAuthGrant> {
    const parsed = grant.safeParse(await this.#post('/v1/oauth/token', body));
    if (!parsed.success) throw new WorkspaceOutcomeUnknown("The workspace's answer holds no tokens.");
    return parsed.data;
  }

  /** @throws WorkspaceOutcomeUnknown if the answer is not JSON; otherwise a failure of client/failures.ts */
  async #post(path: string, body: Record<string, string>): Promise<unknown> {
    const { clientId, clientSecret, apiUrl } = this.#settings;
    const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
    const answer = await createLimitedFetch({ timeoutMs, maxAnswerBytes })(new URL(path, apiUrl).href, {
      method: 'POST',
      headers: { authorization: `Basic ${basic}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const text = await answer.text();
    if (!answer.ok)
      throw failureOfAnswer(answer.status, text, answer.headers.get('retry-after') ?? undefined);
    try {
      return JSON.parse(text);
    } catch (cause) {
      throw new WorkspaceOutcomeUnknown("The workspace's answer is not JSON.", { cause });
    }
  }
}

export const oauthCallbackPath = '/v1/tools/docs/oauth/callback';

/** @returns the OAuth client; undefined if the installation has no client id or secret */
export function docsOAuth(settings: {
  DOCS_OAUTH_CLIENT_ID?: string | undefined;
  DOCS_OAUTH_CLIENT_SECRET?: string | undefined;
  DOCS_API_URL: string;
  PUBLIC_URL?: string | undefined;
  HOST: string;
  PORT: number;
}): DocsOAuth | undefined {
  const { DOCS_OAUTH_CLIENT_ID: clientId, DOCS_OAUTH_CLIENT_SECRET: clientSecret } = settings;
  if (clientId === undefined || clientSecret === undefined) return undefined;
  const origin = settings.PUBLIC_URL ?? `http://${settings.HOST}:${settings.PORT}`;
  const redirectUrl = new URL(oauthCallbackPath, origin).href;
  return new DocsOAuth({ clientId, clientSecret, redirectUrl, apiUrl: settings.DOCS_API_URL });
}
