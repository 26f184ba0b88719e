/** Formats the texts of a model call, decides which step follows the model's reply, and computes the call's credits. */

/** Maximum characters of a quoted message. Chosen: enough to recognize it. */
const maxQuotedChars = 300;

const programMark = '[From the calling program]';
const markInText = /\[(\s{0,9}from\s{1,9}the\s{1,9}calling\s{1,9}program\s{0,9})\]/giu;

/**
 * Replaces the brackets of `programMark` in a user's text with parentheses, so that the text cannot pass as
 * instructions of the calling program.
 */
export const withoutMark = (text: string): string => text.replace(markInText, '($1)');

/**
 * Formats an input of the run. If the user replied to a message, the first `maxQuotedChars` characters of that message
 * come before the text.
 * @param input.quoted the message to which the user replied; null if there is none
 */
export function inputText({ text, quoted }: { text: string; quoted: string | null }): string {
  if (quoted === null) return withoutMark(text);
  // A character has at most two UTF-16 units, so the first `maxQuotedChars` characters are within this slice.
  const shown = Array.from(quoted.slice(0, 2 * maxQuotedChars))
    .slice(0, maxQuotedChars)
    .join('');
  return withoutMark(`[In reply to: ${shown}]\n${text}`);
}

/**
 * Joins the texts of a run's inputs with line breaks. A message without text, which has only files, adds no empty line.
 * Applies `withoutMark` to the joined text too, because two messages may form `programMark` together.
 */
export function joinInputs(texts: readonly string[]): string {
  return withoutMark(texts.filter((text) => text !== '').join('\n'));
}

/**
 * Formats an earlier message of the conversation, with the names of its files after its text.
 * @param message.files the names of its files, with null for each file that has no name; null if it has no files
 */
export function historyText({ text, files }: { text: string; files: (string | null)[] | null }): string {
  const names = files?.map((name) => name ?? 'a file').join(', ');
  return withoutMark(names === undefined ? text : `${text}\n[Attached: ${names}]`);
}

/**
 * Formats an earlier turn that the caller sent with its message. Instructions of the calling program (`context`) reach
 * the model as text of the user, marked with `programMark`.
 */
export function earlierTurnText({ role, text }: { role: 'user' | 'agent' | 'context'; text: string }): {
  role: 'user' | 'agent';
  text: string;
} {
  if (role === 'context') return { role: 'user', text: `${programMark}\n${text}` };
  return { role, text: withoutMark(text) };
}

/**
 * Returns the error of a run whose model and fallback model have both failed. Names the models, because each error is a
 * sentence about one of them.
 */
export function bothFailed(
  first: { model: string; error: string },
  fallback: { model: string; error: string },
): string {
  return `${first.model} did not answer: ${first.error} The fallback ${fallback.model} did not answer either: ${fallback.error}`;
}

export interface Reply {
  text: string;
  calls: { callId: string; name: string; input: unknown }[];
}

export interface TransferTarget {
  id: string;
  name: string;
  active: boolean;
  deleted: boolean;
}

export type Decision =
  | { kind: 'answer'; text: string }
  | { kind: 'transfer'; text: string; to: string }
  /** `reason` is for the person who takes over; empty if the model gave none. */
  | { kind: 'hand_over'; text: string; call_id: string; reason: string }
  | {
      kind: 'tools';
      text: string;
      calls: {
        call_id: string;
        name: string;
        input: unknown;
        /** The result that the model reads if the call is not executed; absent if the call may be executed. */
        result?: string;
        /** Set if a person must approve the call before it is executed. */
        approval?: ApprovalRequest;
      }[];
    };

export interface ApprovalRequest {
  id: string;
  /**
   * Id for the delivery of the approval request. The delivery is written only if the run's answer would go to a
   * webhook.
   */
  delivery_id: string;
  expires_after_seconds: number;
  on_expiry: 'refuse' | 'approve';
  /** The code by which a reply on WhatsApp identifies the call; absent if the agent's version has no approvers. */
  code?: string;
  /** `number` is `phone` as `comparableNumber` returns it. The phone number of a reply is compared with it. */
  approvers?: { name: string; phone: string; number: string }[];
}

export const maxTransfers = 5;
/** Maximum characters of the reason with which an agent hands over; a longer one is cut. Chosen. */
export const maxReasonChars = 500;
export const maxSteps = 12;
export const stepLimitSentence = `The agent did not come to an end within ${maxSteps} steps.`;

/**
 * Decides what follows a reply of the model.
 * - If the reply calls no tool, its text is the answer.
 * - If the agent may hand over and the reply does so, the conversation is handed over to a person, and the other calls are
 *   dropped.
 * - If it calls tools but not the transfer tool, the next step is these calls.
 * - If it transfers to an active agent and the run has transfers left, the transfer is made and the other calls are
 *   dropped.
 * - If the run has used up its transfers and the reply has text, that text is the answer, unless answers must fit an
 *   output schema.
 * - Otherwise, the transfer is refused: the model gets an error as its result, and the other calls are not executed.
 * @param run.mustFit true if the agent has an output schema, which text beside a call was not checked against
 * @param run.handOverTool name of the tool that hands over; undefined if the agent may not hand over
 */
export function decideStep(
  reply: Reply,
  run: {
    transfers: number;
    targets: readonly TransferTarget[];
    transferTool: string;
    handOverTool: string | undefined;
    mustFit?: boolean;
  },
): Decision {
  const { text, calls } = reply;
  if (calls.length === 0) return { kind: 'answer', text };
  const asked = calls.map(({ callId, name, input }) => ({ call_id: callId, name, input }));
  const handOver = asked.find(({ name }) => name === run.handOverTool);
  if (handOver !== undefined)
    return { kind: 'hand_over', text, call_id: handOver.call_id, reason: reasonIn(handOver.input) };
  const transfer = asked.find(({ name }) => name === run.transferTool);
  if (transfer === undefined) return { kind: 'tools', text, calls: asked };
  const wanted = agentNameIn(transfer.input);
  const target = run.targets.find((candidate) => candidate.name === wanted && !candidate.deleted);
  if (target?.active === true && run.transfers < maxTransfers)
    return { kind: 'transfer', text, to: target.id };
  if (run.transfers >= maxTransfers && text !== '' && run.mustFit !== true) return { kind: 'answer', text };
  const refusal = refusalOf(wanted, target, run.transfers);
  return {
    kind: 'tools',
    text,
    calls: asked.map((call) => ({
      ...call,
      result:
        call.name === run.transferTool
          ? refusal
          : 'Not executed, because the same reply transferred the conversation.',
    })),
  };
}

/**
 * Result of a call that a trial or a read-only conversation does not execute, because its tool may change data, or
 * because a person would have to approve it. The model reads the result, and the member who tries the agent sees it.
 */
export const notInTest = (name: string): string =>
  `Not executed: this is a test, and ${name} could change data. Answer as if it had succeeded.`;

function refusalOf(wanted: string, target: TransferTarget | undefined, transfers: number): string {
  if (transfers >= maxTransfers) {
    return `Error: this run has been transferred ${maxTransfers} times already. Answer the user yourself.`;
  }
  return target === undefined
    ? `Error: there is no agent "${wanted}" that you may transfer to. Answer the user yourself.`
    : `Error: the agent "${wanted}" is switched off. Answer the user yourself.`;
}

function reasonIn(input: unknown): string {
  if (typeof input !== 'object' || input === null || !('reason' in input)) return '';
  const { reason } = input;
  return typeof reason === 'string' ? reason.trim().slice(0, maxReasonChars).toWellFormed() : '';
}

function agentNameIn(input: unknown): string {
  return typeof input === 'object' && input !== null && 'agent' in input && typeof input.agent === 'string'
    ? input.agent
    : '';
}

interface Price {
  /** Credits per 1,000 input tokens. */
  input: number;
  /** Credits per 1,000 output tokens. */
  output: number;
}
export type PriceTable = Readonly<Record<string, Price>>;

/**
 * Default prices: 1 credit per 1,000 input tokens, and 1 credit per 1,000 output tokens. The scripted model and the
 * models of local mode are free.
 */
export const shippedPrices: PriceTable = {
  default: { input: 1, output: 1 },
  'scripted/default': { input: 0, output: 0 },
  'local/qwen2.5-0.5b': { input: 0, output: 0 },
  'local/smollm2-135m': { input: 0, output: 0 },
};

/**
 * @returns the price of the model; if the table has none, its default; if it has no default, 1 credit per 1,000 tokens
 */
export const priceOf = (prices: PriceTable, model: string): Price =>
  prices[model] ?? prices['default'] ?? { input: 1, output: 1 };

/** Returns the credits of a model call, rounded to a millionth, which removes floating-point errors. */
export function creditsOf(
  prices: PriceTable,
  model: string,
  tokens: { input: number; output: number },
): number {
  const price = priceOf(prices, model);
  const credits = (tokens.input * price.input + tokens.output * price.output) / 1000;
  return Math.round(credits * 1e6) / 1e6;
}
