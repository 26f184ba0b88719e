/**
 * A Dify app that answers behind Parley, as an agent that runs elsewhere (docs/external-agents.md): takes Parley's request,
 * sends it to the app's `POST /chat-messages`, and answers with the text that the app streams. Works for chatbots,
 * chatflows and agents of Dify.
 */
import { timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { setting } from './settings.ts';

const agentKey = setting('AGENT_KEY');
const difyUrl = setting('DIFY_URL').replace(/\/$/, '');
const difyKey = setting('DIFY_KEY');
const maxBodyBytes = 4 * 1024 * 1024;

const db = new DatabaseSync(setting('DIFY_FILE', '.data/dify.sqlite'), { timeout: 10_000 });
// Dify makes identifiers of its own for conversations, and has no idempotency keys.
db.exec(`
  create table if not exists conversations (parley text primary key, dify text not null);
  create table if not exists answers (key text primary key, answer text not null);
`);

const asked = z.object({
  idempotency_key: z.string(),
  conversation_id: z.string(),
  messages: z.array(z.object({ role: z.string(), text: z.string() })),
});
type Asked = z.output<typeof asked>;

/** An event of Dify's stream, with the fields that matter here. */
const difyEvent = z.object({
  event: z.string(),
  conversation_id: z.string().optional(),
  answer: z.string().optional(),
  message: z.string().optional(),
  data: z.object({ status: z.string().optional() }).optional(),
  metadata: z
    .object({
      usage: z
        .object({ prompt_tokens: z.int().default(0), completion_tokens: z.int().default(0) })
        .optional(),
    })
    .optional(),
});
const difyError = z.object({ code: z.string().default(''), message: z.string().default('') });

class DifyFailure extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

async function ask({ conversation_id: conversation, messages }: Asked): Promise<object> {
  const known = db.prepare('select dify from conversations where parley = ?').get(conversation);
  const response = await fetch(`${difyUrl}/chat-messages`, {
    method: 'POST',
    headers: { authorization: `Bearer ${difyKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      inputs: {},
      // Dify keeps the conversation itself: only the last message is new.
      query: messages.findLast(({ role }) => role === 'user')?.text ?? '',
      // Agents of Dify answer in no other way, and no proxy ends a long answer.
      response_mode: 'streaming',
      conversation_id: known === undefined ? '' : String(known['dify']),
      user: conversation,
    }),
  });
  if (!response.ok || response.body === null) {
    const { code, message } = difyError.parse(await response.json());
    throw new DifyFailure(response.status, `${code}: ${message}`);
  }
  let text = '';
  let usage = { prompt_tokens: 0, completion_tokens: 0 };
  let isComplete = false;
  for await (const event of eventsOf(response.body)) {
    if (event.conversation_id !== undefined && known === undefined) keep(conversation, event.conversation_id);
    if (event.event === 'message' || event.event === 'agent_message') text += event.answer ?? '';
    // Moderation replaces all that was said.
    if (event.event === 'message_replace') text = event.answer ?? '';
    if (event.event === 'message_end') {
      usage = event.metadata?.usage ?? usage;
      isComplete = true;
    }
    if (event.event === 'error') throw new DifyFailure(502, event.message ?? 'Dify failed.');
    if (event.event === 'workflow_finished' && event.data?.status === 'failed')
      throw new DifyFailure(502, 'The flow failed.');
    if (event.event === 'workflow_paused') throw new DifyFailure(422, 'The flow waits for a human input.');
  }
  if (!isComplete) throw new DifyFailure(502, 'Dify broke off its answer.');
  return { text, usage: { input_tokens: usage.prompt_tokens, output_tokens: usage.completion_tokens } };
}

function keep(parley: string, dify: string): void {
  db.prepare('insert into conversations values (?, ?) on conflict do nothing').run(parley, dify);
}

async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<z.output<typeof difyEvent>> {
  let rest = '';
  for await (const piece of body.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      // A ping has no data.
      if (line.startsWith('data: ')) yield difyEvent.parse(JSON.parse(line.slice('data: '.length)));
    }
  }
}

/** Answers of requests in progress: Parley repeats a request under its key while the first one still runs. */
const running = new Map<string, Promise<string>>();

/** Asks Dify once for each key. */
async function answerOnce(request: Asked): Promise<string> {
  const { idempotency_key: key } = request;
  const kept = db.prepare('select answer from answers where key = ?').get(key);
  if (kept !== undefined) return String(kept['answer']);
  const first = running.get(key);
  if (first !== undefined) return await first;
  const asking = ask(request).then((answer) => {
    const text = JSON.stringify(answer);
    db.prepare('insert into answers values (?, ?)').run(key, text);
    return text;
  });
  running.set(key, asking);
  try {
    return await asking;
  } finally {
    running.delete(key);
  }
}

function isAllowed({ authorization = '' }: IncomingHttpHeaders): boolean {
  const [given, wanted] = [Buffer.from(authorization), Buffer.from(`Bearer ${agentKey}`)];
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

async function bodyOf(request: IncomingMessage): Promise<Asked> {
  let text = '';
  for await (const piece of request.setEncoding('utf8')) {
    text += String(piece);
    if (text.length > maxBodyBytes) throw new DifyFailure(413, 'The body is too large.');
  }
  return asked.parse(JSON.parse(text));
}

async function answerTo(request: IncomingMessage): Promise<{ status: number; body: string }> {
  if (!isAllowed(request.headers)) return { status: 401, body: '{"error":"wrong key"}' };
  try {
    return { status: 200, body: await answerOnce(await bodyOf(request)) };
  } catch (error) {
    console.error(error);
    // Parley asks again after 429 and from 500 on, and gives up after other statuses.
    const status = error instanceof DifyFailure ? error.status : 500;
    return { status, body: JSON.stringify({ error: error instanceof Error ? error.message : '' }) };
  }
}

const server = createServer((request, response) => {
  void answerTo(request).then(({ status, body }) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  });
});
server.listen(Number(process.env['PORT'] ?? '4100'), '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object') console.log(`listening: http://127.0.0.1:${address?.port}/`);
});
