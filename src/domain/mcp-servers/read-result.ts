/** Converts the result of an MCP tool to text for the model. Describes content that is not text, such as an image. */

import { isObject, type Json } from '../http-tools/openapi-node.ts';

/** Maximum parts of a result that are converted. Of the other parts, the text states only the number. Chosen. */
const maxParts = 200;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/**
 * Converts a result to text.
 * @returns the text or description of each part, joined with line breaks; if this is empty, the structured content as
 * JSON; undefined if the result has neither
 */
export function resultText({ content, structuredContent }: Json): string | undefined {
  const given: unknown[] = Array.isArray(content) ? content : [];
  const parts = given.slice(0, maxParts).map((one) => (isObject(one) ? partText(one) : ''));
  if (given.length > maxParts) parts.push(`[${String(given.length - maxParts)} more parts]`);
  const text = parts.filter((one) => one !== '').join('\n');
  if (text !== '') return text;
  return isObject(structuredContent) ? JSON.stringify(structuredContent) : undefined;
}

function partText(part: Json): string {
  const { type, text, mimeType, data, resource, uri, name } = part;
  if (type === 'text') return textOf(text);
  if (type === 'resource' && isObject(resource)) {
    const inside = textOf(resource['text']);
    return inside === '' ? `[A file: ${short(resource['uri'])}]` : inside;
  }
  if (type === 'resource_link') return `[A link: ${short(name)} ${short(uri)}]`;
  const size = Math.ceil((textOf(data).length * 3) / 4 / 1024);
  const kind =
    type === 'image' ? 'An image' : type === 'audio' ? 'A recording' : `A part of type ${short(type)}`;
  return `[${kind}${mimeType === undefined ? '' : ` (${short(mimeType)}, ${String(size)} KiB)`}, which is not shown]`;
}

/**
 * Maximum characters of a name, a URI or a type that are shown. The MCP server sends these texts, and they may have
 * any length. Chosen.
 */
const maxNameChars = 300;
const short = (value: unknown): string => textOf(value).slice(0, maxNameChars).toWellFormed();
