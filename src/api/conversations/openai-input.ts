/** Converts a request of OpenAI's API to a message for an agent, with the turns before it. */
import { z } from 'zod';
import { chatRequest, type AttachmentInput } from '../../contract/conversations/chat.ts';
import { maxEarlierBytes, type EarlierTurn } from '../../contract/conversations/earlier-turns.ts';
import { invalidField } from '../../contract/errors.ts';
import { JsonText, text as storableText } from '../../contract/text.ts';

/** A file of a turn: a public https URL, or a data URL. */
export interface GivenFile {
  url: string;
  filename?: string | undefined;
}

export interface GivenTurn {
  role: 'system' | 'developer' | 'user' | 'assistant';
  text: string;
  files: readonly GivenFile[];
  path: string;
}

/** The fields of a NewInput that are read from the request. */
export interface GivenMessage {
  text: string;
  attachments?: AttachmentInput[] | undefined;
  conversationId?: string | undefined;
  contact?: { id: string } | undefined;
  earlierTurns?: EarlierTurn[];
}

/** The conversation or contact to which the message belongs. A request with both is refused. */
export interface GivenPlace {
  conversationId?: { path: string; value: unknown };
  contactId?: { path: string; value: unknown };
}

const roles = { system: 'context', developer: 'context', user: 'user', assistant: 'agent' } as const;
/**
 * Maximum characters of instructions before the message of a continued conversation: the same as for the message's
 * text. Chosen.
 */
const maxContextChars = 32_000;
const earlierText = storableText(maxEarlierBytes);

/** Reads the fields `conversation_id` and `contact_id` of `metadata`. */
export function placeIn(metadata: JsonText | Record<string, unknown> | undefined): GivenPlace {
  if (metadata === undefined) return {};
  const given = z.looseObject({}).parse(metadata instanceof JsonText ? JSON.parse(metadata.text) : metadata);
  const at = (name: string) =>
    Object.hasOwn(given, name) ? { path: `metadata.${name}`, value: given[name] } : undefined;
  const [conversationId, contactId] = [at('conversation_id'), at('contact_id')];
  return { ...(conversationId && { conversationId }), ...(contactId && { contactId }) };
}

/**
 * Converts the last turn to the message. The turns before it become the history of a new conversation. A call that
 * names a conversation or a contact may continue a conversation, which has its own history. The turns before its
 * message must therefore be instructions.
 * @param path path of the list of turns, for errors
 * @throws PublicError validation_failed, naming the wrong field
 */
export function messageOf(turns: readonly GivenTurn[], path: string, place: GivenPlace): GivenMessage {
  const last = turns.at(-1);
  if (last?.role !== 'user') throw invalidField(path, 'must end with a message of the user');
  const message = readMessage(last, place);
  const earlier = turns.slice(0, -1).filter(({ text, files }) => text !== '' || files.length > 0);
  const continued = place.conversationId ?? place.contactId;
  for (const turn of earlier) {
    if (turn.files.length > 0)
      throw invalidField(turn.path, 'must be text: only the last message may have images and files');
    if (continued !== undefined && roles[turn.role] !== 'context')
      throw invalidField(
        turn.path,
        `must not be sent with ${continued.path}: Parley has the earlier turns, so send only the new message`,
      );
    const parsed = earlierText.safeParse(turn.text);
    if (!parsed.success) throw invalidField(turn.path, parsed.error.issues[0]?.message ?? 'is not valid');
  }
  demandRoom(earlier, path, continued !== undefined);
  return {
    ...message,
    ...(earlier.length > 0 && {
      earlierTurns: earlier.map(({ role, text }) => ({ role: roles[role], text })),
    }),
  };
}

/**
 * Checks that the turns before the message have at most `maxEarlierBytes` and, in a continued conversation, at most
 * `maxContextChars`. The second limit is lower, because a caller can send instructions with every message.
 * @throws PublicError validation_failed if they have more
 */
function demandRoom(earlier: readonly GivenTurn[], path: string, isContinued: boolean): void {
  const chars = earlier.reduce((sum, { text }) => sum + text.length, 0);
  if (isContinued && chars > maxContextChars)
    throw invalidField(
      path,
      `must have at most ${maxContextChars} characters of instructions before the message`,
    );
  const bytes = earlier.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
  if (bytes > maxEarlierBytes)
    throw invalidField(
      path,
      `must have at most ${maxEarlierBytes / 1024} KiB of text before the last message: continue the conversation instead`,
    );
}

/**
 * Converts the last turn to the fields of a message, and validates them as `POST /chat/{id}` does.
 * @throws PublicError validation_failed that names the field of the OpenAI request
 */
function readMessage({ text, files, path }: GivenTurn, { conversationId, contactId }: GivenPlace) {
  if (conversationId && contactId)
    throw invalidField(contactId.path, `must not be sent with ${conversationId.path}`);
  const parsed = chatRequest.safeParse({
    message: text,
    ...(files.length > 0 && { attachments: files.map((file) => attachmentOf(file, path)) }),
    ...(conversationId && { conversation_id: conversationId.value }),
    ...(contactId && { contact: { id: contactId.value } }),
  });
  if (parsed.success) {
    const { conversation_id, contact, attachments } = parsed.data;
    return { text, attachments, conversationId: conversation_id, contact };
  }
  const [issue] = parsed.error.issues;
  const [field] = issue?.path ?? [];
  const paths: Partial<Record<PropertyKey, string | undefined>> = {
    conversation_id: conversationId?.path,
    contact: contactId?.path,
  };
  throw invalidField(paths[field ?? ''] ?? path, issue?.message ?? 'is not valid');
}

/** Converts a file to an attachment of POST /chat. @throws PublicError validation_failed if a data URL is not base64 */
function attachmentOf({ url, filename }: GivenFile, path: string): object {
  const named = filename !== undefined && { filename };
  if (!url.startsWith('data:')) return { url, ...named };
  const comma = url.indexOf(',');
  const head = url.slice('data:'.length, comma === -1 ? undefined : comma);
  if (comma === -1 || !head.endsWith(';base64'))
    throw invalidField(path, 'must have files as data URLs with base64, or as public https URLs');
  const type = head.slice(0, head.indexOf(';'));
  return { content_base64: url.slice(comma + 1), ...(type !== '' && { content_type: type }), ...named };
}
