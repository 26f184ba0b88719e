/** Fetches the answers whose callbacks were not or may not have been delivered, and processes each one once. */
import { answer, Parley, type CallbackPayload, type Message } from '../src/client/index.ts'; // in your project: '@parley/client'
import { openInbox } from './inbox.ts';
import { setting } from './settings.ts';

const parley = new Parley({ baseUrl: setting('PARLEY_URL'), token: setting('PARLEY_TOKEN') });
const inbox = openInbox(setting('RECEIVER_FILE', '.data/callbacks.sqlite'));

for (const status of ['failed', 'unknown', 'blocked'] as const) {
  const lost = await answer(parley.api.GET('/deliveries', { params: { query: { status, limit: 100 } } }));
  for (const { conversation_id, message_id } of lost.data) {
    if (conversation_id === undefined || message_id === undefined) continue;
    for await (const message of parley.messages(conversation_id)) {
      if (message.id !== message_id || message.role !== 'agent') continue;
      const isNew = inbox.process(message_id, asCallback(message));
      console.log(`${isNew ? 'processed' : 'known already'}: ${message_id}`);
    }
  }
}
inbox.close();

function asCallback(message: Extract<Message, { role: 'agent' }>): CallbackPayload {
  const { id, agent_id, conversation_id, text, responding_agent_name, created_at } = message;
  return {
    event: 'message.completed',
    success: true,
    message_id: id,
    response: text,
    timestamp: created_at,
    agent_id,
    conversation_id,
    responding_agent_name,
  };
}
