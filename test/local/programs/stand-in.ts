/**
 * Stands in for the API and the worker in tests of the supervisor: keeps their side of the IPC contract, nothing else.
 */
import { createServer } from 'node:http';
import { basename } from 'node:path';

const state = { ready: false };
process.on('message', (message) => {
  if (JSON.stringify(message) === '{"type":"ready"}') state.ready = true;
});
process.on('disconnect', () => process.exit(0));
process.on('SIGTERM', () => process.exit(0));

if (basename(process.argv[1] ?? '') === 'api.ts') {
  createServer((request, response) => {
    if (request.url === '/env') response.end(JSON.stringify(process.env));
    else response.writeHead(request.url === '/readyz' && !state.ready ? 503 : 200).end();
  }).listen(Number(process.env['PORT']), '127.0.0.1', () => {
    process.send?.({ type: 'listening', port: Number(process.env['PORT']) });
  });
} else {
  setInterval(() => undefined, 60_000);
  process.send?.({ type: 'running' });
}
