/** Converts the block tags of the workspace's Markdown to blocks. */
import { readWorkspaceId } from '../../contract/workspace/workspace-id.ts';
import type { JsonObject } from '../../contract/workspace/actions.ts';
import { fileTypes, urlTypes, type Block } from '../blocks/block.ts';
import { isWebUrl } from '../blocks/rich-text.ts';
import { readInline } from './read-inline.ts';

type Attributes = Readonly<Record<string, string>>;

const block = (type: string, body: JsonObject, children: readonly Block[] = []): Block => ({
  type,
  body,
  children,
});

/**
 * Reads an icon attribute: an emoji, or `kind:value`. The value of the kind `icon` is JSON.
 * @returns the icon; undefined if the attribute is absent or empty, or if the JSON is invalid
 */
export function readIcon(text: string | undefined): JsonObject | undefined {
  if (text === undefined || text === '') return undefined;
  const [, kind, value] = /^(external|file_upload|custom_emoji|icon):([\s\S]*)$/.exec(text) ?? [];
  if (kind === undefined || value === undefined) return { type: 'emoji', emoji: text };
  if (kind === 'external') return { type: kind, external: { url: value } };
  if (kind !== 'icon') return { type: kind, [kind]: { id: value } };
  try {
    const icon: unknown = JSON.parse(value);
    return { type: 'icon', icon };
  } catch {
    return undefined;
  }
}

function media(tag: string, attributes: Attributes, warnings: string[]): Block | undefined {
  const { src, upload, name, caption } = attributes;
  const words = readInline(caption ?? '');
  for (const warning of words.warnings) warnings.push(warning);
  const extra = {
    ...(words.items.length === 0 ? {} : { caption: words.items }),
    ...(name === undefined || tag !== 'file' ? {} : { name }),
  };
  if (upload !== undefined && fileTypes.has(tag))
    return block(tag, { type: 'file_upload', file_upload: { id: upload }, ...extra });
  if (src === undefined || !isWebUrl(src)) {
    warnings.push(`<${tag}> needs src with an http or https address; it was left out.`);
    return undefined;
  }
  return fileTypes.has(tag)
    ? block(tag, { type: 'external', external: { url: src }, ...extra })
    : block(tag, { url: src, ...extra });
}

/**
 * Reads a tag without content: `<name attribute="…"/>`.
 * @returns the block; undefined if no block can be made, with a warning in `warnings`
 */
export function readLeafTag(tag: string, attributes: Attributes, warnings: string[]): Block | undefined {
  if (fileTypes.has(tag) || urlTypes.has(tag)) return media(tag, attributes, warnings);
  switch (tag) {
    case 'empty-block':
      return block('paragraph', { rich_text: [] });
    case 'equation':
      return block('equation', { expression: attributes['expression'] ?? '' });
    case 'breadcrumb':
      return block('breadcrumb', {});
    case 'table_of_contents':
      return block(
        'table_of_contents',
        attributes['color'] === undefined ? {} : { color: attributes['color'] },
      );
    case 'synced_block':
      return block('synced_block', { synced_from: { type: 'block_id', block_id: attributes['from'] } });
    case 'link_to_page':
      for (const type of ['page_id', 'database_id', 'comment_id'] as const) {
        const id = attributes[type];
        if (id !== undefined) return block('link_to_page', { type, [type]: readWorkspaceId(id) ?? id });
      }
      break;
    default:
  }
  warnings.push(`<${tag}> stands for a block that cannot be created; it was left out.`);
  return undefined;
}

function textAndChildren(children: readonly Block[]): { rich_text: unknown; children: readonly Block[] } {
  const [first, ...rest] = children;
  const isText =
    first?.type === 'paragraph' && first.children.length === 0 && Object.keys(first.body).length === 1;
  return isText ? { rich_text: first.body['rich_text'], children: rest } : { rich_text: [], children };
}

/**
 * Makes the block for a tag with content.
 * @param children the blocks between the opening and the closing tag
 * @param summary the text of `<summary>`; used only for `details`
 */
export function makeContainer(
  tag: string,
  attributes: Attributes,
  children: readonly Block[],
  summary: JsonObject[],
): Block {
  const color = attributes['color'] === undefined ? {} : { color: attributes['color'] };
  switch (tag) {
    case 'details':
      return block('toggle', { rich_text: summary, ...color }, children);
    case 'callout': {
      const inner = textAndChildren(children);
      const icon = readIcon(attributes['icon']);
      return block(
        'callout',
        { rich_text: inner.rich_text, ...(icon === undefined ? {} : { icon }), ...color },
        inner.children,
      );
    }
    case 'template': {
      const inner = textAndChildren(children);
      return block('template', { rich_text: inner.rich_text }, inner.children);
    }
    case 'columns':
      return block('column_list', {}, children);
    case 'column': {
      const ratio = Number(attributes['width_ratio']);
      return block('column', Number.isFinite(ratio) ? { width_ratio: ratio } : {}, children);
    }
    case 'synced_block':
      return block('synced_block', { synced_from: null }, children);
    default:
      return block(tag, {}, children);
  }
}
