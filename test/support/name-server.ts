/** A name server on loopback that answers each name as a test asks. */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

export interface NameAnswer {
  /** IPv4. */
  addresses?: readonly string[];
  /** Seconds; 60 if it is missing. */
  ttl?: number;
  /** Response codes of DNS: SERVFAIL is 2, NXDOMAIN 3, REFUSED 5. */
  rcode?: number;
  silent?: boolean;
  delayMs?: number;
}

export interface NameServer {
  /** `address:port` */
  host: string;
  /**
   * Sets the answer for a name; for `.example.com`, the answer for all names that end with `.example.com`. Names
   * without an answer get NXDOMAIN.
   */
  behave: (name: string, answer: NameAnswer) => void;
  /** Names that were asked for, once for each question of IPv4. */
  asked: (name: string) => number;
  close: () => Promise<void>;
}

export const servfail = 2;
export const nxdomain = 3;
export const refused = 5;
const typeA = 1;
const headerBytes = 12;

export async function startNameServer(): Promise<NameServer> {
  const answers = new Map<string, NameAnswer>();
  const asked = new Map<string, number>();
  const socket = createSocket('udp4');
  socket.on('message', (question, from) => {
    const { name, end } = nameIn(question);
    const isA = question.readUInt16BE(end) === typeA;
    if (isA) asked.set(name, (asked.get(name) ?? 0) + 1);
    const suffix = [...answers.keys()].find((key) => key.startsWith('.') && name.endsWith(key));
    const answer = answers.get(name) ?? answers.get(suffix ?? '') ?? { rcode: nxdomain };
    if (answer.silent === true) return;
    const bytes = answerTo(question, end + 4, answer, isA ? (answer.addresses ?? []) : []);
    void delay(answer.delayMs ?? 0).then(() => {
      // A test that is over has closed it.
      if (isOpen) socket.send(bytes, from.port, from.address);
    });
  });
  let isOpen = true;
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    host: `127.0.0.1:${socket.address().port}`,
    behave: (name, answer) => {
      answers.set(name, answer);
    },
    asked: (name) => asked.get(name) ?? 0,
    close: async () => {
      isOpen = false;
      socket.close();
      await once(socket, 'close');
    },
  };
}

function nameIn(question: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let at = headerBytes;
  for (let length = question[at] ?? 0; length > 0; length = question[at] ?? 0) {
    labels.push(question.toString('latin1', at + 1, at + 1 + length).toLowerCase());
    at += length + 1;
  }
  return { name: labels.join('.'), end: at + 1 };
}

function answerTo(
  question: Buffer,
  end: number,
  { rcode = 0, ttl = 60 }: NameAnswer,
  found: readonly string[],
): Buffer {
  const header = Buffer.from(question.subarray(0, headerBytes));
  const isAnswer = 0x8180;
  header.writeUInt16BE(isAnswer | rcode, 2);
  for (const [at, count] of [
    [4, 1],
    [6, found.length],
    [8, 0],
    [10, 0],
  ] as const)
    header.writeUInt16BE(count, at);
  const records = found.map((address) => {
    // The question's name, type A, class IN, TTL, four bytes.
    const record = Buffer.from([0xc0, headerBytes, 0, typeA, 0, 1, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0]);
    record.writeUInt32BE(ttl, 6);
    record.set(address.split('.').map(Number), 12);
    return record;
  });
  return Buffer.concat([header, question.subarray(headerBytes, end), ...records]);
}
