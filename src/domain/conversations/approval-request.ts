/** Writes the WhatsApp message that asks an approver to decide on a tool call, and reads the approver's reply. */
import { guardPlaceholders } from '../whatsapp/plan-reply.ts';

/** Characters of codes: no 0, 1, I, L, O or U, which people confuse. */
const codeAlphabet = '23456789ABCDEFGHJKMNPQRSTVWXYZ';
/**
 * Characters of a code, at least one of them a digit: 616 million codes, of which one phone number may try
 * `maxCodesPerHour`. Chosen.
 */
const codeLength = 6;
/** Maximum replies with a code from one number within an hour. Further ones decide nothing. Chosen. */
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
 * Maximum characters of arguments that are shown whole. With the other parts, which have at most about 700, they fit
 * into the 4,096 characters of one WhatsApp message.
 */
const maxShownChars = 3000;
/** Characters that are shown of longer arguments. Chosen. */
const beginningChars = 1000;

/**
 * @returns the text of the message. `showsAll` is false if the arguments are too long to be shown whole: the message
 * then says to approve in the console, and no reply may approve the call.
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

/** Returns a name in one line, without the characters that WhatsApp reads as marks; at most 200 characters. */
export function plainLine(name: string): string {
  return name
    .slice(0, 200)
    .toWellFormed()
    .replace(/[*_~`\p{Cc}\p{Cf}\p{Z}]+/gu, ' ')
    .trim();
}

/** A message that has the form of a decision: YES or NO, with or without a code. */
export interface ApprovalReply {
  approve: boolean;
  /** In capitals; absent if the message has none. Then only the message that it quotes can identify the tool call. */
  code?: string;
  /** The text after NO and the code. */
  note?: string;
  /** True if text follows YES, which may be a condition: such a reply approves nothing. */
  hasCondition: boolean;
}

/** Maximum characters of a reply that are read: more than a note may have. */
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
 * @returns the code at the beginning of the text; undefined if there is none. A word without a digit is no code, such
 * as THANKS in NO THANKS.
 */
function codeAt(text: string): string | undefined {
  const found = /^[2-9A-HJKMNP-TV-Z]{6}(?![\p{L}\p{N}])/iu.exec(text)?.[0].toUpperCase();
  return found !== undefined && /\d/.test(found) ? found : undefined;
}

/**
 * @returns the digits of a phone number, in a form that is equal for two notations of one number. Removes the 9 with
 * which Brazilian mobile numbers begin, because WhatsApp knows many of them without it.
 */
export function comparableNumber(phone: string): string {
  return phone.replace(/\D/g, '').replace(/^(55\d\d)9(?=[6-9]\d{7}$)/, '$1');
}
