/** The outside parties of both organizations, as a process of their own: a model's provider, which never answers a text
 *  that holds `HANG`, and a document workspace. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { completionOf, streamOf } from '../support/model-completion.ts';
import { startWorkspaceEmulator } from '../support/workspace/emulator.ts';

const server = createServer((request, response) => {
  // Of a large request its beginning and its end are looked at.
  const kept: Buffer[] = [];
  let length = 0;
  request.on('data', (chunk: Buffer) => {
    length += chunk.length;
    kept.push(chunk);
    if (kept.length > 20) kept.splice(10, 1);
  });
  request.on('end', () => {
    const text = Buffer.concat(kept).toString('latin1');
    if (text.includes('HANG')) return;
    const answer = { model: 'outside', text: `${length} bytes` };
    if (/"stream":\s*true/.test(text)) {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(`${streamOf(answer).join('')}data: [DONE]\n\n`);
    } else {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(completionOf(answer)));
    }
  });
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const workspace = await startWorkspaceEmulator();
process.on('disconnect', () => process.exit(0));
process.send?.({
  type: 'ready',
  modelUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
  docsUrl: workspace.url,
  docsToken: workspace.tokens.main,
});
