/** Talks to an agent with OpenAI's SDK: an answer, its stream, and the next message of the conversation. */
import OpenAI from 'openai';
import { setting } from './settings.ts';

const client = new OpenAI({ baseURL: `${setting('PARLEY_URL')}/openai`, apiKey: setting('PARLEY_TOKEN') });
const model = setting('PARLEY_AGENT');

// The SDK repeats a call after a broken connection. The key makes the repeat return the first call's answer.
const once = () => ({ headers: { 'Idempotency-Key': crypto.randomUUID() } });

const stream = await client.chat.completions.create(
  { model, messages: [{ role: 'user', content: 'Hello!' }], stream: true },
  once(),
);
for await (const chunk of stream) process.stdout.write(chunk.choices[0]?.delta.content ?? '');
console.log();

const first = await client.responses.create({ model, input: 'Where is my order?' }, once());
console.log(first.output_text);
const second = await client.responses.create(
  { model, input: 'It is number 17.', previous_response_id: first.id },
  once(),
);
console.log(second.output_text, second.conversation?.id === first.conversation?.id);
