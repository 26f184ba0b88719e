/**
 * Sends the console's mails: invitations, reset links, and links to conversations that wait for a person. Their text
 * contains nothing that a tenant chooses, so that nobody can send their own text in this installation's name. The page
 * behind the link shows who invites, and to which organization.
 */
import { createHmac, hkdfSync, randomBytes } from 'node:crypto';
import type { Mailer } from '../../adapters/accounts/mailer.ts';
import type { Database } from '../../adapters/postgres/database.ts';
import type { MailState } from '../../contract/accounts/invitations.ts';
import { Limiter } from '../../limits/limiter.ts';
import type { Logger } from '../../log.ts';
import { RateLimiter } from '../../adapters/postgres/rate-limiter.ts';

/** The window of the two limits below: one day, in seconds. Chosen. */
const day = 24 * 60 * 60;
const perOrganization = { maxCalls: 100, windowSeconds: day };
const perRecipient = { maxCalls: 5, windowSeconds: day };
/** The window of the limits of mails about waiting conversations: one hour, in seconds. Chosen. */
const hour = 60 * 60;
const waitingOfMember = { maxCalls: 10, windowSeconds: hour };
const waitingOfOrganization = { maxCalls: 100, windowSeconds: hour };
/** The limit of the reset links of one email that people ask for on the sign-in page. Chosen. */
const askedOfRecipient = { maxCalls: 3, windowSeconds: day };

/**
 * Error codes of nodemailer for a connection or a login that failed, and EBUSY of the limiter. As a rule, the mail was
 * then not offered to the mail server, so it does not count toward the limits. A mail that the server refuses does
 * count; otherwise a user could test without limit which emails exist.
 */
const unreached: ReadonlySet<string> = new Set(['EBUSY', 'ECONNECTION', 'EDNS', 'ESOCKET', 'ETLS', 'EAUTH']);
const isUnreached = (code: unknown) => typeof code === 'string' && unreached.has(code);

export type Mails = ReturnType<typeof createMails>;

/**
 * @param options.mailer undefined if the operator has set no SMTP server
 * @param options.origin origin of the console; the mails contain its host
 * @param options.encryptionKey ENCRYPTION_KEY, a comma-separated list. Recipients are hashed for the limit with a key
 * derived from the first entry. If undefined, a random key is used, so a restart of the process resets the counts per
 * recipient.
 */
export function createMails(options: {
  mailer: Mailer | undefined;
  db: Database;
  log: Logger;
  origin: string;
  encryptionKey: string | undefined;
}) {
  const { mailer, db, log, origin, encryptionKey = randomBytes(32).toString('base64') } = options;
  const { host } = new URL(origin);
  const key = Buffer.from(hkdfSync('sha256', encryptionKey.split(',')[0] ?? '', '', 'mail counters', 32));
  const organizations = new RateLimiter(db, 'mails', perOrganization);
  const recipients = new RateLimiter(db, 'mails-to', perRecipient);
  const waitingMails = {
    members: new RateLimiter(db, 'waiting-mails-to', waitingOfMember),
    organizations: new RateLimiter(db, 'waiting-mails', waitingOfOrganization),
  };
  const askedResets = new RateLimiter(db, 'asked-resets-to', askedOfRecipient);
  const sending = new Limiter({ max: 10, maxPerOwner: 2, maxWaiting: 5, maxWaitMs: 5000 });
  /** False without a mail server. The user who creates a link then gets it in the console and must pass it on. */
  const areSent = mailer !== undefined;
  return { areSent, demand, invite, reset, mayAskReset, askedReset, waiting };

  /**
   * Counts a mail toward the limits of the organization and of the recipient. Must be called before the invitation or
   * the reset is created, so that neither exists if a limit is reached. Does nothing without a mail server.
   * @throws PublicError rate_limited if one of the limits is reached
   */
  async function demand(organizationId: string, to: string): Promise<void> {
    if (mailer === undefined) return;
    await organizations.demand(organizationId, 1, 'Your organization has sent 100 mails today.');
    const sentence = 'Your organization has sent five mails to this email today. Try again tomorrow.';
    await recipients.demand(recipientOf(organizationId, to), 1, sentence);
  }

  /** @returns the recipient's key, which includes the organization: organizations do not share a recipient's limit */
  function recipientOf(organizationId: string, to: string): string {
    return createHmac('sha256', key)
      .update(JSON.stringify([organizationId, to.toLowerCase()]))
      .digest('hex');
  }

  /**
   * Sends an invitation's link.
   * @returns `sent` if the mail server has accepted the mail; `failed` if it has not; `off` without a mail server
   */
  async function invite(organizationId: string, to: string, link: string): Promise<MailState> {
    return await send(organizationId, to, `Invitation to Parley on ${host}`, [
      `You were invited to an organization on Parley at ${host}.`,
      'This link shows the invitation and accepts it. It works once and expires in 7 days:',
      link,
      'If you did not expect this mail, ignore it.',
    ]);
  }

  /**
   * Sends a link for a new password.
   * @returns `sent` if the mail server has accepted the mail; `failed` if it has not; `off` without a mail server
   */
  async function reset(organizationId: string, to: string, link: string): Promise<MailState> {
    return await send(organizationId, to, `New password for Parley on ${host}`, [
      `An administrator has reset the password of your account on Parley at ${host}.`,
      'With this link you choose a new one. It works once and expires in 24 hours:',
      link,
      'If you did not ask for it, tell your administrator.',
    ]);
  }

  /**
   * Sends a member the link of a conversation that waits for a person. Sends nothing without a mail server, or if the
   * member has got 10 of these mails, or the organization has sent 100, in the last hour.
   */
  async function waiting(
    organizationId: string,
    { userId, email, conversationId }: { userId: string; email: string; conversationId: string },
  ): Promise<void> {
    if (mailer === undefined) return;
    if ((await waitingMails.members.take(`${organizationId}:${userId}`)) > 0) return;
    if ((await waitingMails.organizations.take(organizationId)) > 0) return;
    await deliver(mailer, organizationId, email, `A conversation waits on Parley on ${host}`, [
      `A conversation waits for a person on Parley at ${host}:`,
      `${origin}/conversations/${conversationId}`,
      `You get at most ${waitingOfMember.maxCalls} of these mails an hour. You can switch them off: ${origin}/account`,
    ]);
  }

  /**
   * Counts a reset link that somebody asks for on the sign-in page toward the limit of its recipient. Counts an email
   * without an account alike.
   * @param email as entered
   * @returns false if the limit is reached
   */
  async function mayAskReset(email: string): Promise<boolean> {
    return (await askedResets.take(askerOf(email))) === 0;
  }

  /** Sends the link for a new password that somebody asked for on the sign-in page. Does nothing without a mail server. */
  async function askedReset({ email, link }: { email: string; link: string }): Promise<void> {
    if (mailer === undefined) return;
    const code = await deliver(mailer, undefined, email, `New password for Parley on ${host}`, [
      `Somebody has asked for a new password for your account on Parley at ${host}.`,
      'With this link you choose it. It works once and expires in one hour:',
      link,
      'If it was not you, ignore this mail: nothing has changed.',
    ]);
    if (isUnreached(code)) await askedResets.giveBack(askerOf(email));
  }

  /** @returns the key of an email in the counts of reset links that people ask for; no organization has an empty id */
  function askerOf(email: string): string {
    return recipientOf('', email);
  }

  async function send(
    organizationId: string,
    to: string,
    subject: string,
    lines: string[],
  ): Promise<MailState> {
    if (mailer === undefined) return 'off';
    const code = await deliver(mailer, organizationId, to, subject, lines);
    if (code === 'sent') return 'sent';
    if (isUnreached(code)) {
      await organizations.giveBack(organizationId);
      await recipients.giveBack(recipientOf(organizationId, to));
    }
    return 'failed';
  }

  /**
   * @param organizationId undefined for a mail that no organization sends; these mails share one sender's limit
   * @returns `sent`, or the code of the error, which is logged
   */
  async function deliver(
    through: Mailer,
    organizationId: string | undefined,
    to: string,
    subject: string,
    lines: string[],
  ): Promise<unknown> {
    try {
      const text = `${lines.join('\n\n')}\n`;
      await sending.use(organizationId, () => through.send({ to, subject, text }));
      return 'sent';
    } catch (error) {
      // The server's answer may repeat the recipient, so only its code is logged.
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      log.warn({ code, organization_id: organizationId }, 'a mail could not be sent');
      return code;
    }
  }
}
