/** Endpoints with which users change their own name, and see and end their own sessions. */
import { z } from 'zod';
import { sessionMs } from '../../../adapters/accounts/auth.ts';
import { endOtherSessions as endOthers, renameUser } from '../../../adapters/postgres/accounts/accounts.ts';
import {
  endSession as endOne,
  listSessions,
  type SessionRow,
} from '../../../adapters/postgres/accounts/sessions.ts';
import { forAccounts } from '../../../adapters/postgres/organization-scope.ts';
import { accountForm, ownSessions, type OwnSession } from '../../../contract/accounts/own-account.ts';
import { PublicError } from '../../../contract/errors.ts';
import { changeOwn } from '../../accounts/change-own.ts';
import { defineEndpoint } from '../../endpoint.ts';

const own = { auth: 'session', capability: 'member' } as const;

/** Maximum number of sessions that are listed. Chosen. */
const maxListed = 100;

/** Changes the caller's name. Every member of the caller's organizations sees it. */
export const renameAccount = defineEndpoint({
  ...own,
  request: 'PATCH /account',
  body: accountForm,
  handle: async ({ body: { name }, caller: person }, deps) => {
    await changeOwn(
      deps,
      person,
      'name_changed',
      (tx) => renameUser(tx, person.userId, name),
      (before) => `${person.email}: ${before} → ${name}`,
    );
  },
});

export const listOwnSessions = defineEndpoint({
  ...own,
  request: 'GET /sessions',
  answers: { 200: ownSessions },
  handle: async ({ caller: { userId, sessionId } }, { db }, respond) => {
    const begunAfter = new Date(Date.now() - sessionMs);
    const found = await forAccounts(() => listSessions(db, userId, sessionId, begunAfter, maxListed + 1));
    return respond(200, {
      data: found.slice(0, maxListed).map((one) => sessionView(one, sessionId)),
      has_more: found.length > maxListed,
    });
  },
});

function sessionView({ id, browser, system, ...times }: SessionRow, currentId: string): OwnSession {
  return {
    id,
    browser,
    system,
    is_current: id === currentId,
    created_at: times.created_at.toISOString(),
    last_seen_at: times.updated_at.toISOString(),
  };
}

/** Ends a session of the caller. If it is the current one, the caller is signed out. */
export const endSession = defineEndpoint({
  ...own,
  request: 'DELETE /sessions/{id}',
  params: z.object({ id: z.uuid() }),
  handle: async ({ params: { id }, caller: person }, deps) => {
    const ended = await changeOwn(
      deps,
      person,
      'own_session_ended',
      (tx) => endOne(tx, person.userId, id.toLowerCase()),
      ({ browser, system }) => [person.email, browser, system].filter((one) => one !== null).join(', '),
    );
    if (ended === undefined) throw new PublicError('not_found');
  },
});

/** Ends all sessions of the caller but the current one, and the sign-ins that wait for a second factor. */
export const endOtherSessions = defineEndpoint({
  ...own,
  request: 'DELETE /other-sessions',
  handle: async ({ caller: person }, deps) => {
    await changeOwn(deps, person, 'own_sessions_ended', async (tx) => {
      const ended = await endOthers(tx, person.userId, person.sessionId);
      return ended > 0 ? ended : undefined;
    });
  },
});
