/** Sends a message and gets its answer in the same call. */
import { Parley, ParleyError } from '../src/client/index.ts'; // in your project: '@parley/client'
import { setting } from './settings.ts';

const parley = new Parley({ baseUrl: setting('PARLEY_URL'), token: setting('PARLEY_TOKEN') });

try {
  const answer = await parley.ask(setting('PARLEY_AGENT'), { message: 'Hello!', metadata: { order: 17 } });
  console.log(`${answer.responding_agent_name}: ${answer.response}`);
} catch (error) {
  if (!(error instanceof ParleyError)) throw error;
  // After sync_timeout, the answer is added to the history of error.conversationId later.
  console.error(`${error.code}: ${error.message}`, ...error.details);
  process.exitCode = 1;
}
