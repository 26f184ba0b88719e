/** Streams an answer while it is written. The client resumes a broken connection. */
import { Parley } from '../src/client/index.ts'; // in your project: '@parley/client'
import { setting } from './settings.ts';

const parley = new Parley({ baseUrl: setting('PARLEY_URL'), token: setting('PARLEY_TOKEN') });

for await (const { event, data } of parley.stream(setting('PARLEY_AGENT'), { message: 'Tell me a story' })) {
  if (event === 'delta') process.stdout.write(data.text);
  // The model is called again. Discard this step's text so far.
  else if (event === 'restart') process.stdout.write('\n[again] ');
  else if (event === 'transfer') process.stdout.write(`\n[${data.responding_agent_name}] `);
  else if (event === 'completed') console.log(`\n(${data.model}, ${data.credits_used} credits)`);
  else if (event === 'failed') {
    console.error(`\n${data.code}: ${data.error}`);
    process.exitCode = 1;
  }
}
