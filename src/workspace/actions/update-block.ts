/** The action that replaces the text of a block. */
import { z } from 'zod';
import { jsonObject, workspaceId } from '../../contract/workspace/actions.ts';
import { textTypes } from '../blocks/block.ts';
import { cleanIcon } from '../blocks/clean-fields.ts';
import { codeLanguage } from '../blocks/code-language.ts';
import { limits, newNotes } from '../blocks/limits.ts';
import { textItem } from '../blocks/rich-text.ts';
import type { RunContext } from '../context.ts';
import { defineAction } from '../define-action.ts';
import { boundedText } from '../inputs.ts';
import { invalidInput } from '../failures.ts';
import { fieldsOf } from '../json-value.ts';
import { readInline } from '../markdown/read-inline.ts';
import { expectKind } from '../resolve-ids.ts';

const updatable = [...textTypes].filter((type) => type !== 'template');

/**
 * Reads `additional_properties`. Leaves out those that are null.
 * @throws ActionError INVALID_INPUT if they contain `archived`, `in_trash` or an invalid icon
 */
function extraFields(context: RunContext, given: Record<string, unknown>): Record<string, unknown> {
  if ('archived' in given || 'in_trash' in given) {
    throw invalidInput('additional_properties cannot archive a block: use DOCS_DELETE_BLOCK');
  }
  const notes = newNotes();
  const kept = fieldsOf(given, Object.keys(given));
  const icon = cleanIcon(kept['icon'], 'additional_properties.icon', notes);
  if (notes.problems.length > 0) throw invalidInput(notes.problems);
  for (const warning of notes.warnings) context.warn(warning);
  return icon === undefined ? kept : { ...kept, icon };
}

/**
 * Returns the block's new content in the form of its type.
 * @throws ActionError INVALID_INPUT if the expression of an equation is empty or too long
 */
function contentOf(context: RunContext, type: string, content: string): Record<string, unknown> {
  if (type === 'equation') {
    if (content === '' || content.length > limits.expression)
      throw invalidInput(
        `content has ${content.length} characters; an equation takes 1 to ${limits.expression}`,
      );
    return { expression: content };
  }
  if (type === 'code') return { rich_text: [textItem(content)] };
  const { items, warnings } = readInline(content);
  for (const warning of warnings) context.warn(warning);
  return { rich_text: items };
}

export const updateBlock = defineAction({
  id: 'DOCS_UPDATE_BLOCK',
  summary: "Replaces a block's text. Cannot change the block's type or archive it.",
  effect: 'idempotent_write',
  input: z.strictObject({
    block_id: workspaceId('The block to update.'),
    content: z
      .string()
      .max(limits.textContent, { error: `is longer than ${limits.textContent} characters` })
      .describe(
        `New text, at most ${limits.textContent} characters; replaces the existing text. Inline markdown is read.`,
      ),
    block_type: boundedText.field
      .optional()
      .describe('Must equal the existing type; found with one more request when left out.'),
    language: boundedText.name.optional().describe('Required when block_type is code.'),
    additional_properties: jsonObject
      .optional()
      .describe('Type-specific: checked for to_do, color, is_toggleable for headings, icon for callout.'),
  }),
  rules: {
    'language is required when block_type is code.': (input) =>
      input.block_type !== 'code' || input.language !== undefined,
  },
  example: {
    block_id: '4f0c8b7e-6b2a-4a52-9f41-0d1f4c3b2a10',
    content: 'The new text',
    block_type: 'paragraph',
  },
  run: async (context, { block_id, content, block_type, language, additional_properties }) => {
    const extra = extraFields(context, additional_properties ?? {});
    const found =
      block_type ??
      (await expectKind(context.docs, 'page', block_id, () => context.docs.retrieveBlock(block_id))).type;
    if (!updatable.includes(found) && found !== 'equation') {
      throw invalidInput(
        `a ${found} block has no text to replace; text can be replaced in ${updatable.join(', ')} and equation`,
      );
    }
    const chosen = language === undefined ? undefined : codeLanguage(language);
    if (chosen?.known === false)
      context.warn(`The language ${language ?? ''} is not known to the workspace; plain text was used.`);
    const fields = {
      ...extra,
      ...contentOf(context, found, content),
      ...(found === 'code' && chosen !== undefined ? { language: chosen.language } : {}),
    };
    return context.docs.updateBlock(block_id, { [found]: fields });
  },
});
