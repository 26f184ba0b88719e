/**
 * Determines in which form a model can read an attachment. Images and PDFs are recognized by their first bytes,
 * because a wrong or missing content type must not make a model call fail. Any other attachment is text if its content
 * type is missing or allows text, and its bytes are valid UTF-8 without a NUL character. Otherwise, its kind is
 * `other`.
 */
const signatures: readonly (readonly [type: string, at: number, bytes: string])[] = [
  ['image/png', 0, '\x89PNG\r\n\x1a\n'],
  ['image/jpeg', 0, '\xff\xd8\xff'],
  ['image/gif', 0, 'GIF8'],
  ['image/webp', 8, 'WEBP'],
  ['application/pdf', 0, '%PDF-'],
];

export type MediaKind = { kind: 'image' | 'document'; type: string } | { kind: 'text' } | { kind: 'other' };

export function mediaKindOf(content: Uint8Array, label: string | null): MediaKind {
  const head = String.fromCharCode(...content.subarray(0, 16));
  const known = signatures.find(([, at, bytes]) => head.startsWith(bytes, at));
  if (known !== undefined) {
    const [type] = known;
    return { kind: type.startsWith('image/') ? 'image' : 'document', type };
  }
  const labelled =
    label === null || /^(text\/|application\/(json|octet-stream|xml|[\w.]+\+(json|xml)))/.test(label);
  return labelled && isText(content) ? { kind: 'text' } : { kind: 'other' };
}

function isText(content: Uint8Array): boolean {
  if (content.includes(0)) return false;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(content);
    return true;
  } catch {
    return false;
  }
}
