/**
 * Finds the ids of a workspace's objects in texts that people and models write. Accepts UUIDs of every version, because
 * many real ids are not of version 4.
 */
const dashed = /^([0-9a-f]{8})-([0-9a-f]{4})-([0-9a-f]{4})-([0-9a-f]{4})-([0-9a-f]{12})(?![0-9a-f-])/i;
const plain = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})(?![0-9a-z])/i;
const atEnd = /(?:^|[^0-9a-z])([0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i;

function fromStart(text: string): string | undefined {
  const match = dashed.exec(text) ?? plain.exec(text);
  return match?.slice(1).join('-').toLowerCase();
}

function fromEnd(text: string): string | undefined {
  const id = atEnd.exec(text)?.[1];
  return id === undefined ? undefined : fromStart(id);
}

function fromUrl(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const path = url.pathname.split('/').filter((segment) => segment !== '');
  return fromEnd(url.hash.slice(1)) ?? fromEnd(url.searchParams.get('p') ?? '') ?? fromEnd(path.at(-1) ?? '');
}

const maxLength = 2048;

/**
 * Finds an id at the start of the text, or after `collection://` at the start. In an http or https URL, finds it at the
 * end of the fragment, of the parameter `p` or of the path, in this order.
 * @returns the id in lower case with dashes; undefined if there is none, or if the text is longer than `maxLength`
 */
export function readWorkspaceId(text: string): string | undefined {
  // Parsing a very long URL can take quadratic time.
  if (text.length > maxLength) return undefined;
  const trimmed = text.trim().replace(/^collection:\/\//i, '');
  return /^https?:\/\//i.test(trimmed) ? fromUrl(trimmed) : fromStart(trimmed);
}
