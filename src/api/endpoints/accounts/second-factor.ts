/** Endpoints that check a second factor at sign-in, and that set it up or remove it on the account page. */
import { z } from 'zod';
import type { Auth } from '../../../adapters/accounts/auth.ts';
import { linkOnce } from '../../../adapters/accounts/identity-sign-in.ts';
import { hasPassword } from '../../../adapters/accounts/people.ts';
import {
  answerChallenge,
  confirmSecondFactor,
  countRecoveryCodes,
  findChallenge,
  offerSecondFactor,
  removeSecondFactor,
  renewRecoveryCodes,
  type Proof,
} from '../../../adapters/accounts/second-factor.ts';
import { findSecondFactor } from '../../../adapters/postgres/accounts/accounts.ts';
import { recordForAccount } from '../../../adapters/postgres/accounts/audit-log.ts';
import { listIssuers } from '../../../adapters/postgres/accounts/identities.ts';
import { getsWaitingMails, setWaitingMails } from '../../../adapters/postgres/accounts/waiting-mails.ts';
import { inAccountTransaction, type Transaction } from '../../../adapters/postgres/database.ts';
import { forAccounts } from '../../../adapters/postgres/organization-scope.ts';
import {
  account,
  codeForm,
  offeredSecondFactor,
  proofForm,
  recoveryCodes,
  setUpForm,
  waitingMailsForm,
} from '../../../contract/accounts/second-factor.ts';
import type { AuditAction } from '../../../contract/accounts/audit.ts';
import { invalidField, PublicError } from '../../../contract/errors.ts';
import { changeOwn } from '../../accounts/change-own.ts';
import { linkedTarget, refuseOtherIdentity } from '../../accounts/linked-identity.ts';
import { recordFailedSignIn } from '../../accounts/record-failed-sign-in.ts';
import type { PersonCaller } from '../../caller.ts';
import type { ApiDeps } from '../../deps.ts';
import { defineEndpoint, type Visit } from '../../endpoint.ts';

const own = { auth: 'session', capability: 'member' } as const;

/**
 * Checks the code that completes a sign-in with a password or at an identity provider. In the second case, also links
 * the account with the identity at the provider.
 */
export const signInWithCode = defineEndpoint({
  auth: 'open',
  request: 'POST /sign-in/code',
  body: codeForm,
  handle: async ({ body: { code }, visit }, deps) => {
    const { headers, address } = visit;
    const challenge = await findChallenge(deps.auth, headers);
    if (challenge === undefined)
      throw new PublicError('invalid_state', { sentence: 'This sign-in has expired. Begin again.' });
    const { email, userId, identity } = challenge;
    const label = identity && labelOf(deps, identity.issuer);
    const answer = () =>
      inAccountTransaction(deps.db, async (tx) => {
        const answered = await answerChallenge(tx, deps.authIn(tx), { challenge, headers, code });
        if (answered === undefined) return undefined;
        const actor = { kind: 'person', userId, address } as const;
        const target = label === undefined ? email : linkedTarget(email, label);
        if (answered.isRecovery) await recordForAccount(tx, userId, actor, 'recovery_code_used', email);
        if (identity !== undefined && (await linkOnce(tx, userId, identity)))
          await recordForAccount(tx, userId, actor, 'provider_linked', target);
        await recordForAccount(tx, userId, actor, 'signed_in', target);
        return answered;
      });
    const person = await deps.passwords.attemptCode(
      address,
      email,
      () => (label === undefined ? answer() : refuseOtherIdentity(deps, { email, label, address }, answer)),
      identity === undefined ? 'password' : 'provider',
    );
    if (person === undefined) {
      void recordFailedSignIn(deps, email, address, 'second_factor_failed');
      throw new PublicError('unauthorized', { sentence: 'The code is wrong or was used.' });
    }
    if (identity !== undefined) await deps.passwords.visited(address);
    visit.setCookies(person.cookies);
  },
});

function labelOf({ providers }: ApiDeps, issuer: string): string {
  return providers.all.find((one) => one.issuer === issuer)?.label ?? issuer;
}

/** Returns how the caller can sign in: with a password, at which providers, and with a second factor. */
export const getAccount = defineEndpoint({
  auth: 'session',
  request: 'GET /account',
  capability: 'member',
  answers: { 200: account },
  handle: async ({ caller: { userId, organizationId } }, deps, respond) =>
    await forAccounts(async () => {
      const { auth, db } = deps;
      const factor = await findSecondFactor(db, userId);
      const second_factor =
        factor?.isConfirmed === true ? { recovery_codes_left: await countRecoveryCodes(auth, userId) } : null;
      const issuers = await listIssuers(db, userId);
      const labels = issuers.map((issuer) => labelOf(deps, issuer));
      return respond(200, {
        has_password: await hasPassword(auth, userId),
        second_factor,
        providers: labels,
        mails_waiting: await getsWaitingMails(db, organizationId, userId),
      });
    }),
});

/** Stores whether the member gets an email when a conversation of the organization begins to wait for a person. */
export const chooseWaitingMails = defineEndpoint({
  auth: 'session',
  request: 'PUT /waiting-mails',
  capability: 'conversations.view',
  body: waitingMailsForm,
  handle: ({ caller: { userId, organizationId }, body }, { db }) =>
    setWaitingMails(db, organizationId, userId, body.mails_waiting),
});

/** Begins to set up a second factor. Sign-in requires a code only after `confirmFactor` has confirmed the factor. */
export const offerFactor = defineEndpoint({
  ...own,
  request: 'POST /second-factor',
  body: setUpForm,
  answers: { 201: offeredSecondFactor },
  handle: async ({ body: { password }, caller: person, visit }, deps, respond) => {
    if (deps.config.ENCRYPTION_KEY === undefined)
      throw new PublicError('invalid_state', {
        sentence: 'This installation keeps no secrets: its operator must set ENCRYPTION_KEY first.',
      });
    if ((await forAccounts(() => findSecondFactor(deps.db, person.userId)))?.isConfirmed === true)
      throw new PublicError('invalid_state', { sentence: 'A second factor is set up already.' });
    const issuer = `Parley (${new URL(deps.origin).host})`;
    const offered = await deps.passwords.attempt(visit.address, person.email, () =>
      inAccountTransaction(deps.db, (tx) =>
        offerSecondFactor(deps.authIn(tx), visit.headers, { password, issuer }),
      ),
    );
    if (offered === undefined) throw invalidField('password', 'is wrong');
    return respond(201, offered);
  },
});

export const confirmFactor = defineEndpoint({
  ...own,
  request: 'POST /second-factor/confirm',
  body: codeForm,
  answers: { 200: recoveryCodes },
  handle: async ({ body: { code }, caller: person, visit }, deps, respond) => {
    const { userId } = person;
    const confirmed = await changeOwn(deps, person, 'second_factor_added', (tx) =>
      confirmSecondFactor(tx, deps.authIn(tx), { userId, headers: visit.headers, code }),
    );
    if (confirmed === undefined) throw invalidField('code', 'is wrong');
    visit.setCookies(confirmed.cookies);
    return respond(200, { recovery_codes: confirmed.recoveryCodes });
  },
});

/** Removes the second factor and ends all other sessions of the user. */
export const removeFactor = defineEndpoint({
  ...own,
  request: 'POST /second-factor/remove',
  body: proofForm,
  handle: async (call, deps) => {
    call.visit.setCookies(await changeWithProof(deps, call, 'second_factor_removed', removeSecondFactor));
  },
});

/** Replaces the recovery codes; the previous ones no longer work. */
export const renewCodes = defineEndpoint({
  ...own,
  request: 'POST /second-factor/recovery-codes',
  body: proofForm,
  answers: { 201: recoveryCodes },
  handle: async (call, deps, respond) => {
    const codes = await changeWithProof(deps, call, 'recovery_codes_renewed', renewRecoveryCodes);
    return respond(201, { recovery_codes: codes });
  },
});

/**
 * Changes the caller's second factor, if the proof (password or code) is right.
 * @param change returns undefined if the proof is wrong
 * @throws PublicError invalid_state without a second factor; validation_failed if the proof is wrong; rate_limited as
 * `PasswordGuard.attempt` does
 */
async function changeWithProof<T>(
  deps: ApiDeps,
  { body, caller, visit }: { body: z.output<typeof proofForm>; caller: PersonCaller; visit: Visit },
  action: AuditAction,
  change: (tx: Transaction, auth: Auth, proof: Proof) => Promise<T | undefined>,
): Promise<T> {
  const { db, auth, passwords } = deps;
  const { userId, email } = caller;
  if ((await forAccounts(() => findSecondFactor(db, userId)))?.isConfirmed !== true)
    throw new PublicError('invalid_state', { sentence: 'No second factor is set up.' });
  const proof = { userId, headers: visit.headers, ...body };
  const changed = await passwords.attempt(visit.address, email, () =>
    changeOwn(deps, caller, action, (tx) => change(tx, deps.authIn(tx), proof)),
  );
  if (changed === undefined)
    throw invalidField(
      (await forAccounts(() => hasPassword(auth, userId))) ? 'password' : 'code',
      'is wrong',
    );
  return changed;
}
