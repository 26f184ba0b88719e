/** A stack of its own, with something in it, under Schemathesis. Run by main.ts where no packet can leave. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stopBacking } from '../support/backing.ts';
import { startStack } from '../support/stack.ts';

const [program = '', examples = '', seed = '', only = ''] = process.argv.slice(2);
const stack = await startStack({ env: { SYNC_TIMEOUT_SECONDS: '3', CALLBACK_TIMEOUT_SECONDS: '2' } });
const { api, receiver } = stack;
const agent = await api.createAgent({ script: [{ when: 'a', reply: 'b' }] });
for (const message of ['a', 'b', 'c']) {
  const { conversation_id } = await api.send(agent.id, { message, webhook_url: receiver.url('/fuzz') });
  await api.settled(conversation_id);
}

const child = spawn(
  program,
  [
    ...['run', `${stack.apiUrl}/openapi.json`, '--url', stack.apiUrl],
    ...['--header', `Authorization: Bearer ${stack.token}`],
    // What a schema cannot say, as that one of two fields must be there, is refused with 422.
    ...['--checks', 'all', '--exclude-checks', 'positive_data_acceptance'],
    ...['--max-examples', examples, '--seed', seed, '--continue-on-failure'],
    ...['--request-timeout', '20', '--suppress-health-check', 'all', '--no-color'],
    ...(only === '' ? [] : ['--include-path-regex', only]),
  ],
  { stdio: 'inherit', cwd: mkdtempSync(join(tmpdir(), 'parley-fuzz-')) },
);
const ended: unknown[] = await once(child, 'exit');
const { rows } = await stack.db.pool.query<{ n: number }>(`select count(*)::int as n from messages`);
console.log(`The API took ${rows[0]?.n ?? 0} messages on the way.`);
await stack.stop();
await stopBacking();
process.exit(ended[0] === 0 ? 0 : 1);
