/** Sends two messages of one contact, with callbacks, then reads their outcomes from the history. */
import { setTimeout as delay } from 'node:timers/promises';
import { Parley, type Message } from '../src/client/index.ts'; // in your project: '@parley/client'
import { setting } from './settings.ts';

const parley = new Parley({ baseUrl: setting('PARLEY_URL'), token: setting('PARLEY_TOKEN') });
const agent = setting('PARLEY_AGENT');
const webhook_url = setting('WEBHOOK_URL');
const contact = { id: `customer-${Date.now()}`, name: 'Ada' };

const { conversation_id } = await parley.send(agent, { message: 'Hello!', webhook_url, contact });
// The same contact continues the same conversation.
await parley.send(agent, { message: 'Where is my order?', webhook_url, contact, metadata: { order: 17 } });

let messages: Message[];
do {
  await delay(200);
  messages = await Array.fromAsync(parley.messages(conversation_id));
} while (messages.some((one) => isOpen(one)));

for (const one of messages) {
  const who = one.role === 'user' ? contact.name : one.responding_agent_name;
  const callback = one.role === 'agent' ? ` (callback: ${one.delivery?.status ?? 'none'})` : '';
  console.log(`${who}: ${one.text}${callback}`);
}

/** True while a user's message is not answered, or the callback of an agent's message has not ended. */
function isOpen(one: Message): boolean {
  const status = one.role === 'user' ? one.status : one.delivery?.status;
  return /^(queued|processing|pending|attempting)$/.test(status ?? '');
}
