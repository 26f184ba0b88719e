/**
 * Judges the metadata of an MCP server and of its authorization server. Both servers may be hostile: they must not be
 * able to have a code, a secret or a token sent to anybody but the authorization server that the administrator
 * visits.
 */

/** The fields of an authorization server's metadata (RFC 8414) that are judged. */
export interface AuthorizationMetadata {
  issuer: string;
  authorization_endpoint: string;
  token_endpoint: string;
  registration_endpoint?: string | undefined;
  code_challenge_methods_supported?: readonly string[] | undefined;
}

/** Maximum characters of an issuer and of an endpoint. Chosen. */
const maxUrlChars = 2000;

/**
 * @returns the URL in the form in which issuers are compared: normalized, without a slash at the end. A text that is
 * not a URL, or is longer than `maxUrlChars`, is returned unchanged.
 */
const comparable = (url: string): string =>
  url.length <= maxUrlChars && URL.canParse(url) ? new URL(url).href.replace(/\/$/, '') : url;

/** True if two issuers are the same URL. A slash at the end of one of them does not matter. */
export const isSameIssuer = (one: string, other: string): boolean => comparable(one) === comparable(other);

/**
 * Judges the address of an MCP server's metadata (RFC 9728).
 * @param server address of the server
 * @param metadata address of the metadata, as the server states it
 * @returns true if both have the same origin. The owner of another origin could name another authorization server.
 */
export const isOwnMetadata = (server: string, metadata: URL): boolean =>
  new URL(server).origin === metadata.origin;

/**
 * Judges an authorization server's metadata.
 * @param named issuer of the authorization server, as the MCP server states it; if the MCP server states none, the MCP
 * server's own origin
 * @param options.namesItself true if the authorization response must contain the issuer (RFC 9207)
 * @param options.isSafe returns true for an address to which a secret may be sent
 * @returns why the authorization server cannot be used, as the end of a sentence; undefined if it can
 */
export function authorizationProblem(
  named: string,
  metadata: AuthorizationMetadata,
  { namesItself, isSafe }: { namesItself: boolean; isSafe: (url: string) => boolean },
): string | undefined {
  const { issuer, authorization_endpoint, token_endpoint, registration_endpoint } = metadata;
  const urls = [issuer, authorization_endpoint, token_endpoint, registration_endpoint].filter(
    (url) => url !== undefined,
  );
  if (urls.some((url) => url.length > maxUrlChars || !URL.canParse(url)))
    return 'its authorization server publishes an address that cannot be read';
  // Without this check, a hostile server could publish metadata in the name of another authorization server.
  if (!isSameIssuer(issuer, named))
    return 'its authorization server publishes metadata of another issuer than the one that the server names';
  if (!urls.every(isSafe)) return 'its authorization server has an address that is not https';
  // Without this check, the person could allow access at one server, and the code would then be sent to another one:
  // the mix-up attack of RFC 9700, section 4.4.
  if (!namesItself && new URL(authorization_endpoint).origin !== new URL(token_endpoint).origin)
    return 'its authorization server has its pages and its tokens at different hosts, and does not name itself in its responses';
  if (metadata.code_challenge_methods_supported?.includes('S256') !== true)
    return 'its authorization server does not support PKCE with S256';
  return undefined;
}
