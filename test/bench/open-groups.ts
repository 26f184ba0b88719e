/** Inputs that join open groups: how many a second the API takes, and that each is in exactly one answer. */
import { until } from '../support/until.ts';
import { z } from 'zod';
import { call, hammer, untilAccepted, type Callbacks } from './load.ts';
import { percentile, rounded } from './numbers.ts';
import type { Product } from './product-stack.ts';
import type { Rate } from './ceilings.ts';

const conversations = 40;
const connections = 16;
/** Seconds of silence after which a group closes. */
const windowSeconds = 3;

export type OpenGroups = Rate & { inputs: number; lost: number; doubled: number; answers: number };

const answered = z.object({ response: z.string() });

export async function makeGroupingAgent(product: Product): Promise<string> {
  return await product.agent({
    grouping_window_seconds: windowSeconds,
    grouping_max_seconds: 600,
    grouping_max_messages: 1000,
    model: 'scripted/default',
    script: [{ when: '(?s)^(.*)$', reply: 'echo: $1' }],
  });
}

export async function measureOpenGroups(
  product: Product,
  callbacks: Callbacks,
  agentId: string,
  options: { ms: number; name: string },
): Promise<OpenGroups> {
  const { ms, name } = options;
  const webhook = (conversation: number) => `/group/${name}/${conversation}`;
  const send = async (text: string, conversation: number) => {
    const body = {
      message: text,
      contact: { id: `${name}-${conversation}` },
      webhook_url: callbacks.origin + webhook(conversation),
    };
    await untilAccepted(() =>
      call('POST', `${product.baseUrl}/chat/${agentId}`, 202, { body, headers: product.headers }),
    );
  };
  const sent = new Set<string>();
  const input = async (count: number) => {
    const text = `input ${count}.`;
    await send(text, count % conversations);
    sent.add(text);
  };
  // The groups are opened, each with its nudge, before the clock runs.
  for (let count = 0; count < conversations; count++) await input(count);
  const { perSecond, ms: times } = await hammer((count) => input(conversations + count), { connections, ms });
  const texts = () =>
    Array.from({ length: conversations }, (_, conversation) => callbacks.bodies(webhook(conversation)))
      .flat()
      .map((body) => answered.parse(JSON.parse(body)).response);
  const found = () => texts().flatMap((text) => text.match(/input \d+\./g) ?? []);
  // All of them, or what has come when nothing more does.
  await until('every input in an answer', () => found().length >= sent.size, 30_000).catch(() => undefined);
  const all = found();
  return {
    perSecond,
    p50: rounded(percentile(times, 0.5), 2),
    inputs: sent.size,
    lost: sent.size - new Set(all).size,
    doubled: all.length - new Set(all).size,
    answers: texts().length,
  };
}
