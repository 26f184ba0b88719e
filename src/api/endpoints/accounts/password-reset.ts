/**
 * Endpoints of reset links: ask for one without a session, and for the page of a link show the account's email and set
 * the new password.
 */
import { z } from 'zod';
import { findReset, resetPassword, type OpenReset } from '../../../adapters/accounts/password-resets.ts';
import { recordForAccount } from '../../../adapters/postgres/accounts/audit-log.ts';
import { inAccountTransaction } from '../../../adapters/postgres/database.ts';
import {
  askForReset,
  offeredReset,
  resetToken,
  useResetForm,
} from '../../../contract/accounts/password-reset.ts';
import { PublicError } from '../../../contract/errors.ts';
import type { ApiDeps } from '../../deps.ts';
import { defineEndpoint } from '../../endpoint.ts';

const closed = () =>
  new PublicError('not_found', {
    sentence: 'This link no longer works: it was used or replaced, or it has expired. Ask for a new one.',
  });

/** @throws PublicError not_found if the link was used or replaced, or has expired */
async function openReset({ db }: ApiDeps, token: string): Promise<OpenReset> {
  const found = await findReset(db, token);
  if (found === undefined) throw closed();
  return found;
}

/**
 * Mails a link to the account of the email, if there is one. The response is the same in every case, and is sent before
 * the account is looked up.
 */
export const askReset = defineEndpoint({
  auth: 'open',
  request: 'POST /password-reset/request',
  body: askForReset,
  answers: { 202: z.undefined() },
  handle: async ({ body, visit: { address } }, { mails, passwords, resetRequests }, respond) => {
    if (!mails.areSent)
      throw new PublicError('invalid_state', {
        sentence:
          'This installation has no mail server. Ask an administrator of your organization for a link.',
      });
    await passwords.demandAsked(address);
    resetRequests.add(body.email);
    return respond(202, undefined);
  },
});

export const getReset = defineEndpoint({
  auth: 'open',
  request: 'POST /password-reset',
  body: resetToken,
  answers: { 200: offeredReset },
  handle: async ({ body }, deps, respond) => {
    const { email } = await openReset(deps, body.token);
    return respond(200, { email });
  },
});

export const useReset = defineEndpoint({
  auth: 'open',
  request: 'POST /password-reset/use',
  body: useResetForm,
  handle: async ({ body, visit: { address } }, deps) => {
    const reset = await openReset(deps, body.token);
    const { userId, email } = reset;
    await deps.passwords.hash(address, () =>
      inAccountTransaction(deps.db, async (tx) => {
        const by = { kind: 'person', userId, address } as const;
        if (!(await resetPassword(tx, deps.authIn(tx), reset, body.password, by))) throw closed();
        await recordForAccount(tx, userId, by, 'password_reset', email);
      }),
    );
  },
});
