/** Asks for a free port, opens connections until the system has no other port left (at most 300), then binds it. */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { freePort, probePort } from '../../../src/local/ports.ts';

const target = createServer(() => undefined).listen(0, '127.0.0.1');
await once(target, 'listening');
const { port: targetPort } = target.address() as AddressInfo;

const port = await freePort();
const sockets: Socket[] = [];
let end = '300 connections';
while (sockets.length < 300) {
  const socket = connect({ port: targetPort, host: '127.0.0.1' });
  sockets.push(socket);
  try {
    await once(socket, 'connect');
  } catch (error) {
    end = String((error as NodeJS.ErrnoException).code);
    break;
  }
}
const taken = sockets.some(({ localPort }) => localPort === port);
console.log(JSON.stringify({ connections: sockets.length, end, taken, bind: await probePort(port) }));
process.exit();
