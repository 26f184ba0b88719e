/** Sends plain-text emails through the operator's SMTP server. */
import { createTransport } from 'nodemailer';

/** Timeout for sending one email. Chosen to be short, because an API call waits until the email is sent. */
const sendMs = 10_000;

export interface Mail {
  to: string;
  subject: string;
  text: string;
}

export interface Mailer {
  /**
   * Sends an email.
   * @throws Error if the server cannot be reached, refuses the email, or has not accepted it within `sendMs`. After
   * this timeout, the email may still have been sent.
   */
  send(mail: Mail): Promise<void>;
}

/**
 * Creates the mailer.
 * @param url `smtp://` or `smtps://`, with user and password if the server requires them
 * @param from the sender address of all emails
 */
export function createMailer(url: string, from: string): Mailer {
  return {
    send: async ({ to, subject, text }) => {
      const transport = createTransport({
        url,
        connectionTimeout: sendMs,
        greetingTimeout: sendMs,
        socketTimeout: sendMs,
        dnsTimeout: sendMs,
        // Emails are plain text, so nodemailer never has a reason to read a file or fetch a URL.
        disableFileAccess: true,
        disableUrlAccess: true,
      });
      let timer: NodeJS.Timeout | undefined;
      const tooLate = new Promise<never>((_, reject) => {
        timer = setTimeout(() => {
          reject(new Error('the mail server did not answer in time'));
        }, sendMs);
      });
      try {
        await Promise.race([
          transport.sendMail({
            from: { name: 'Parley', address: from },
            to: { name: '', address: to },
            subject,
            text,
          }),
          tooLate,
        ]);
      } finally {
        clearTimeout(timer);
        transport.close();
      }
    },
  };
}
