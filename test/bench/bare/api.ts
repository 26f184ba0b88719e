/** The API of the bare shape: one signal-with-start a message, and nothing else. */
import { createServer } from 'node:http';
import { Client, Connection } from '@temporalio/client';
import { z } from 'zod';
import { sendToParent, untilStopped } from '../../../src/process-life.ts';

const body = z.object({ message: z.string(), webhook_url: z.string() });
const client = new Client({
  connection: await Connection.connect({ address: process.env['TEMPORAL_ADDRESS'] ?? '' }),
});
let turns = 0;

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const conversation = (request.url ?? '').slice(1);
    const { message, webhook_url: webhook } = body.parse(JSON.parse(Buffer.concat(chunks).toString()));
    const turn = `${process.pid}-${(turns += 1)}`;
    client.workflow
      .signalWithStart('bareConversation', {
        taskQueue: 'bare',
        workflowId: `bare/${conversation}`,
        args: [conversation],
        signal: 'message',
        signalArgs: [{ turn, message, webhook }],
      })
      .then(
        () => {
          response.writeHead(202, { 'content-type': 'application/json' });
          response.end(JSON.stringify({ status: 'processing', conversation_id: conversation }));
        },
        (error: unknown) => {
          response.writeHead(503);
          response.end(String(error));
        },
      );
  });
});
server.listen(Number(process.env['PORT']), '127.0.0.1', () => {
  sendToParent({ type: 'listening' });
});
await untilStopped();
process.exit(0);
