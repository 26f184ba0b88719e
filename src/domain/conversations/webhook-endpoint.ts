/** Decides which webhook endpoint a callback's URL belongs to. */

/** As long as a `webhook_url` may be. The URL parser takes quadratic time over a long host. */
const maxChars = 2048;

/**
 * Converts what a user enters for an endpoint to the form in which it is stored: as the URL parser writes it, without
 * the last slash of a path.
 * @returns undefined if it is not an http or https URL, or has credentials, a query or a fragment
 */
export function endpointUrl(text: string): string | undefined {
  if (text.length > maxChars || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return undefined;
  if (url.username !== '' || url.password !== '' || /[?#]/.test(url.href)) return undefined;
  return `${url.origin}${withoutLastSlash(url.pathname)}`;
}

/**
 * Finds the endpoint of a URL: one with the same origin whose path is the URL's path or a folder of it, and of several
 * the one with the longest path. The query does not matter.
 */
export function endpointOf<E extends { readonly url: string }>(
  text: string,
  endpoints: readonly E[],
): E | undefined {
  if (endpoints.length === 0 || text.length > maxChars || !URL.canParse(text)) return undefined;
  const { origin, pathname } = new URL(text);
  const place = `${origin}${withoutLastSlash(pathname)}/`;
  return endpoints
    .filter(({ url }) => place.startsWith(`${url}/`))
    .reduce<E | undefined>(
      (longest, one) => (longest !== undefined && longest.url.length >= one.url.length ? longest : one),
      undefined,
    );
}

const withoutLastSlash = (path: string): string => (path.endsWith('/') ? path.slice(0, -1) : path);
