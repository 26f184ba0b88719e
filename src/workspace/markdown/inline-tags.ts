/** Reads the inline tags of the workspace's Markdown: their attributes, the styles of `<span>` tags, and mentions. */
import type { JsonObject } from '../../contract/workspace/actions.ts';
import { annotationNames, colors, type Annotations } from '../blocks/rich-text.ts';

/**
 * Matches `name="value"`. Without the lookbehind, matching could take quadratic time, because it would start again at
 * each letter of a long name that has no value.
 */
const attribute = /(?<![a-z_-])([a-z_-]+)="([^"]*)"/g;

export function readAttributes(text: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [, name, value] of text.matchAll(attribute)) {
    if (name !== undefined && value !== undefined) found[name] = unescapeAttribute(value);
  }
  return found;
}

const unescapeAttribute = (value: string): string =>
  value
    .replaceAll('&#123;', '{')
    .replaceAll('&#125;', '}')
    .replaceAll('&#10;', '\n')
    .replaceAll('&#13;', '\r')
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');

export function spanAnnotations(attributes: Readonly<Record<string, string>>): Annotations {
  const annotations: Annotations = {};
  for (const name of annotationNames) if (attributes[name] === 'true') annotations[name] = true;
  const color = attributes['color'];
  if (color !== undefined && colors.has(color)) annotations.color = color;
  return annotations;
}

/**
 * Reads a mention such as `<mention-user id="…"/>` or `<mention-date start="…" end="…"/>`.
 * @returns the rich text item; undefined if the type is unknown or a required attribute is missing
 */
export function readMention(
  type: string,
  attributes: Readonly<Record<string, string>>,
): JsonObject | undefined {
  const name = type.replaceAll('-', '_');
  switch (name) {
    case 'user':
    case 'page':
    case 'database':
    case 'custom_emoji':
      return attributes['id'] === undefined ? undefined : mention(name, { id: attributes['id'] });
    case 'date':
      return attributes['start'] === undefined ? undefined : mention(name, attributes);
    case 'template_mention':
      return mention(name, attributes);
    default:
      return undefined;
  }
}

const mention = (type: string, value: JsonObject): JsonObject => ({
  type: 'mention',
  mention: { type, [type]: value },
});
