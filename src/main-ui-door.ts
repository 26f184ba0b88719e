/** Runs the proxy in front of Temporal's UI (local/ui-door.ts) as a separate process. docker-compose.yml starts it. */
import { parseArgs } from 'node:util';
import { startUiDoor } from './local/ui-door.ts';
import { untilStopped } from './process-life.ts';

const text = { type: 'string' } as const;
const { target, url, port } = parseArgs({ options: { target: text, url: text, port: text } }).values;
if (target === undefined || url === undefined || port === undefined) {
  throw new Error(
    'usage: node src/main-ui-door.ts --target=URL of the UI --url=URL that people open --port=NUMBER',
  );
}
const door = await startUiDoor({
  host: '0.0.0.0',
  port: Number(port),
  target,
  hosts: [new URL(url).hostname],
});
await untilStopped();
await door.close();
process.exit(0);
