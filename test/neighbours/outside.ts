/**
 * The outside parties of both organizations, as a process of their own: a model's provider, which never answers a text
 * that contains `HANG` or `DEADLY` and reports the latter to the harness, and a document workspace.
 */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { completionOf, streamOf } from '../support/model-completion.ts';
import { startWorkspaceEmulator } from '../support/workspace/emulator.ts';

const server = createServer((request, response) => {
  // The beginning and the end of a large request are searched.
  const kept: Buffer[] = [];
  let length = 0;
  request.on('data', (chunk: Buffer) => {
    length += chunk.length;
    kept.push(chunk);
    if (kept.length > 20) kept.splice(10, 1);
  });
  request.on('end', () => {
    const text = Buffer.concat(kept).toString('latin1');
    if (text.includes('DEADLY')) process.send?.({ type: 'deadly' });
    if (text.includes('HANG') || text.includes('DEADLY')) return;
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
// Names of `b.example` are this machine; no other name is ever answered.
const names = createSocket('udp4', (question, from) => {
  const text = question.toString('latin1');
  if (!text.includes('\u0001b\u0007example')) return;
  const end = question.indexOf(0, 12) + 5;
  const asksFor4 = question.readUInt16BE(end - 4) === 1;
  const head = Buffer.from(question.subarray(0, 12));
  head.writeUInt16BE(0x8180, 2);
  head.writeUInt16BE(asksFor4 ? 1 : 0, 6);
  head.writeUInt32BE(0, 8);
  const answer = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, 127, 0, 0, 1]);
  names.send(
    Buffer.concat([head, question.subarray(12, end), ...(asksFor4 ? [answer] : [])]),
    from.port,
    from.address,
  );
});
names.bind(0, '127.0.0.1');
await once(names, 'listening');
const workspace = await startWorkspaceEmulator();
process.on('disconnect', () => process.exit(0));
process.send?.({
  type: 'ready',
  modelUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
  names: `127.0.0.1:${names.address().port}`,
  docsUrl: workspace.url,
  docsToken: workspace.tokens.main,
  docsPage: workspace.ids.home,
});
