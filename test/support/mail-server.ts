/** A real SMTP server on loopback that keeps the mails it accepts. */
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

export interface ReceivedMail {
  from: string;
  to: string;
  /** Head and body, as they were sent. */
  raw: string;
  /** The body, decoded. */
  text: string;
}

export interface MailServer {
  url: string;
  mails: readonly ReceivedMail[];
  /** Recipients that the server refuses. */
  refused: Set<string>;
  close: () => Promise<void>;
}

/** @param user who must sign in to send */
export async function startMailServer(user: { name: string; password: string }): Promise<MailServer> {
  const mails: ReceivedMail[] = [];
  const refused = new Set<string>();
  const server = new SMTPServer({
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    onAuth: ({ username, password }, _session, done) => {
      if (username === user.name && password === user.password) done(null, { user: username });
      else done(new Error('wrong user or password'));
    },
    onRcptTo: ({ address }, _session, done) => {
      done(refused.has(address) ? new Error('no such mailbox') : null);
    },
    onData: (stream, { envelope }, done) => {
      const pieces: Buffer[] = [];
      stream.on('data', (piece: Buffer) => pieces.push(piece));
      stream.on('end', () => {
        const raw = Buffer.concat(pieces).toString();
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
        const text = decoded(raw);
        for (const { address } of envelope.rcptTo) mails.push({ from, to: address, raw, text });
        done();
      });
    },
  });
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.server.address() as AddressInfo;
  const signIn = `${encodeURIComponent(user.name)}:${encodeURIComponent(user.password)}`;
  return {
    ...{ url: `smtp://${signIn}@127.0.0.1:${port}`, mails, refused },
    close: () =>
      new Promise((resolve) => {
        server.close(resolve);
      }),
  };
}

/** Decodes quoted-printable. */
function decoded(raw: string): string {
  const body = raw.slice(raw.indexOf('\r\n\r\n') + 4);
  if (!/^content-transfer-encoding: quoted-printable/im.test(raw)) return body;
  return body
    .replaceAll('=\r\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
}
