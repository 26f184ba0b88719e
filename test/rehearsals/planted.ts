/** The subjects of the recorded conversations, and the changes that a rehearsal must find. */
import type { TurnOutcome } from '../../src/contract/rehearsals/rehearsals.ts';

export interface Rule {
  reply?: string;
  tool?: { action: string; input: object };
  transfer_to?: string;
  fail?: { message: string; retryable: boolean };
}

export interface Planted {
  topic: string;
  /** The agent's changed settings; undefined: the same, but its policies or colleagues have changed. */
  rule?: Rule;
  outcome: TurnOutcome;
  diverged: boolean;
}

/** Writes to a document workspace. */
export const createPage = 'DOCS_CREATE_DOCS_PAGE';

const call = (action: string, id: string): Rule => ({ tool: { action, input: { id } } });
const kinds = {
  text: (number: number): Rule => ({ reply: `Answer ${number}.` }),
  find: (number: number): Rule => call('find_order', `order ${number}`),
  pay: (number: number): Rule => call('pay_order', `order ${number}`),
  close: (number: number): Rule => call('close_order', `order ${number}`),
  page: (number: number): Rule => ({ tool: { action: createPage, input: { title: `order ${number}` } } }),
  sales: (): Rule => ({ transfer_to: 'Sales', reply: 'One moment.' }),
  gone: (): Rule => ({ transfer_to: 'Gone', reply: 'One moment.' }),
} as const;
type Kind = keyof typeof kinds;

/** How many topics there are of each kind; of those, so many are changed, or all. */
const counts: Record<Kind, number> = { text: 20, find: 10, pay: 8, close: 3, page: 4, sales: 8, gone: 3 };

export const topics = (Object.keys(counts) as Kind[]).flatMap((kind) =>
  Array.from({ length: counts[kind] }, (_, number) => ({
    kind,
    number,
    topic: `${kind} ${number}`,
    rule: kinds[kind](number),
  })),
);

export const topicOf = (index: number): string => topics[index % topics.length]?.topic ?? '';

/** 38 changes; with another model and other instructions, 40. */
export function plantedChanges(): Planted[] {
  const changes: Record<Kind, Omit<Planted, 'topic'>[]> = {
    text: [
      ...[0, 1, 2, 3, 4].map((number) => found({ reply: `Other answer ${number}.` }, 'other_text')),
      ...[5, 6, 7].map((number) => found(call('find_order', `order ${number}`), 'other_tool', true)),
      ...[8, 9].map(() => found({ transfer_to: 'Billing' }, 'other_transfer')),
      ...[10, 11].map(() => found({ fail: { message: 'No.', retryable: false } }, 'failed')),
    ],
    find: [
      ...[0, 1, 2].map((number) => found(call('find_order', `other ${number}`), 'other_arguments', true)),
      ...[3, 4].map((number) => found(call('pay_order', `order ${number}`), 'other_tool', true)),
      found({ reply: 'It is done.' }, 'other_tool'),
      found({ transfer_to: 'Sales' }, 'other_transfer'),
    ],
    pay: [
      ...[0, 1, 2].map((number) => found(call('pay_order', `more ${number}`), 'other_arguments', true)),
      ...[3, 4].map((number) => found(call('find_order', `order ${number}`), 'other_tool', true)),
      found({ reply: 'It is done.' }, 'other_tool'),
    ],
    close: [undefined, undefined, undefined].map(() => refused),
    page: [],
    sales: [
      ...[0, 1, 2].map(() => found({ transfer_to: 'Billing', reply: 'One moment.' }, 'other_transfer')),
      found({ reply: 'One moment.' }, 'other_transfer'),
      found({ transfer_to: 'Sales', reply: 'Another moment.' }, 'other_text'),
      found(call('find_order', 'order'), 'other_tool', true),
      found({ fail: { message: 'No.', retryable: false } }, 'failed'),
    ],
    gone: [undefined, undefined, undefined].map(() => refused),
  };
  return (Object.keys(changes) as Kind[]).flatMap((kind) =>
    changes[kind].map((change, number) => ({ topic: `${kind} ${number}`, ...change })),
  );
}

const refused = { outcome: 'refused', diverged: false } as const;

function found(rule: Rule, outcome: TurnOutcome, diverged = false): Omit<Planted, 'topic'> {
  return { rule, outcome, diverged };
}
