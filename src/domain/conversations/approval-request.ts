/** Writes the WhatsApp message that asks an approver to decide on a tool call, and reads the approver's reply. */
import { guardPlaceholders } from '../whatsapp/plan-reply.ts';

/**
 * The characters that a code may contain: digits and capital letters without 0, 1, I, L, O and U, which people easily
 * confuse with others.
 */
const codeAlphabet = '23456789ABCDEFGHJKMNPQRSTVWXYZ';
/**
 * Number of characters in a code. At least one is a digit, so there are 616 million codes. `maxCodesPerHour` limits how
 * many of them one phone number can try. Chosen.
 */
const codeLength = 6;
/**
 * Maximum replies with a code from one phone number to one channel within an hour. Further replies with a code decide
 * nothing. Chosen.
 */
export const maxCodesPerHour = 60;

/**
 * Returns a new code.
 * @param random returns an unguessable integer from 0 up to, but not including, its argument
 */
export function approvalCode(random: (below: number) => number): string {
  for (;;) {
    const characters = Array.from(
      { length: codeLength },
      () => codeAlphabet[random(codeAlphabet.length)] ?? '',
    );
    const code = characters.join('');
    if (/\d/.test(code)) return code;
  }
}

/**
 * Maximum characters of the arguments that the message shows in full. The rest of the message has at most about 700
 * characters, so all of it fits into the 4,096 characters of one WhatsApp message.
 */
const maxShownChars = 3000;
/** Number of characters of the arguments that the message shows if they are longer than `maxShownChars`. Chosen. */
const beginningChars = 1000;

/**
 * Writes the message that asks an approver for a decision.
 * @returns its text. `showsAll` is false if the arguments are too long to be shown in full. The message then asks the
 * approver to approve in the console, and a reply on WhatsApp can only refuse the call.
 */
export function approvalRequestText(request: {
  agentName: string;
  tool: string;
  arguments: unknown;
  code: string;
  expiresAt: Date;
  onExpiry: 'refuse' | 'approve';
}): { text: string; showsAll: boolean } {
  const { code, expiresAt, onExpiry } = request;
  const shown = shownArguments(request.arguments);
  const showsAll = shown.length <= maxShownChars;
  const until = `${expiresAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  const lines = [
    `The agent *${plainLine(request.agentName)}* wants to call its tool \`${request.tool}\` with these arguments:`,
    `\`\`\`${showsAll ? shown : `${shown.slice(0, beginningChars).toWellFormed()}…`}\`\`\``,
    ...(showsAll
      ? [`To approve, reply: YES ${code}`, `To refuse, reply: NO ${code} (and, if you like, why)`]
      : [
          'This is only the beginning of the arguments. To approve, read them whole in the console.',
          `To refuse, reply: NO ${code} (and, if you like, why)`,
        ]),
    `If nobody decides before ${until}, the call is ${onExpiry === 'approve' ? 'approved' : 'refused'}.`,
  ];
  return { text: guardPlaceholders(lines.join('\n')), showsAll };
}

/**
 * Formats arguments as JSON that WhatsApp and the gateway show unchanged. Escapes backticks and invisible characters,
 * which WhatsApp would interpret or hide, and double braces, which the gateway would replace.
 */
function shownArguments(value: unknown): string {
  return JSON.stringify(value, null, 1).replace(
    /[`\x7f-\x9f\p{Cf}\p{Zl}\p{Zp}\p{Co}]|(?<=\{)\{|(?<=\})\}/gu,
    (found) => Array.from({ length: found.length }, (_, at) => `\\u${hex(found.charCodeAt(at))}`).join(''),
  );
}

const hex = (unit: number): string => unit.toString(16).padStart(4, '0');

/**
 * Returns the first 200 characters of a name in one line. Replaces the characters that WhatsApp reads as formatting
 * with spaces.
 */
export function plainLine(name: string): string {
  return name
    .slice(0, 200)
    .toWellFormed()
    .replace(/[*_~`\p{Cc}\p{Cf}\p{Z}]+/gu, ' ')
    .trim();
}

/** A reply that begins with YES or NO, with or without a code. */
export interface ApprovalReply {
  approve: boolean;
  /** The code in capital letters. If it is absent, only a quoted approval request can identify the tool call. */
  code?: string;
  /**
   * The text after NO or, if a code follows NO, after the code. Absent if there is no such text, or if the reply is
   * YES.
   */
  note?: string;
  /** True if more text follows YES or its code. The text may be a condition, so such a reply approves nothing. */
  hasCondition: boolean;
}

/**
 * Maximum characters of a reply that are read; the rest is ignored. Chosen: more than a note may have
 * (`maxNoteChars`).
 */
const maxReplyChars = 2000;

/** @returns the decision in the text; undefined if the text does not begin with the word YES or NO */
export function readApprovalReply(text: string): ApprovalReply | undefined {
  const read = text.slice(0, maxReplyChars).trim();
  const word = /^[*_~]{0,3}(yes|no)(?![\p{L}\p{N}])[\s.,:;!*_~-]{0,20}/iu.exec(read);
  if (word === null) return undefined;
  const approve = word[1]?.toLowerCase() === 'yes';
  const rest = read.slice(word[0].length);
  const code = codeAt(rest);
  const after = (code === undefined ? rest : rest.slice(codeLength))
    .replace(/^[\s.,:;!*_~-]{0,20}/, '')
    .toWellFormed();
  return {
    approve,
    ...(code !== undefined && { code }),
    ...(!approve && after !== '' && { note: after }),
    hasCondition: approve && after !== '',
  };
}

/**
 * @returns the code at the beginning of the text, in capital letters; undefined if there is none. A word without a
 * digit, such as THANKS in NO THANKS, is not a code.
 */
function codeAt(text: string): string | undefined {
  const found = /^[2-9A-HJKMNP-TV-Z]{6}(?![\p{L}\p{N}])/iu.exec(text)?.[0].toUpperCase();
  return found !== undefined && /\d/.test(found) ? found : undefined;
}

/**
 * Normalizes a phone number, so that two notations of the same number can be compared.
 * @returns the digits. For a Brazilian mobile number, the 9 after the area code is left out, because WhatsApp reports
 * many of these numbers without it.
 */
export function comparableNumber(phone: string): string {
  return phone.replace(/\D/g, '').replace(/^(55\d\d)9(?=[6-9]\d{7}$)/, '$1');
}
