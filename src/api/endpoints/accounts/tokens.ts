/** Endpoints that list, create, rotate, revoke and delete API tokens. */
import { recordAudit } from '../../../adapters/postgres/accounts/audit-log.ts';
import { inTransaction } from '../../../adapters/postgres/database.ts';
import { z } from 'zod';
import {
  createToken as insertToken,
  findToken as findRow,
  deleteToken as removeToken,
  listTokens as findTokens,
  revokeToken as endToken,
  rotateToken as replaceSecret,
  statusOf,
  type TokenRow,
} from '../../../adapters/postgres/accounts/tokens.ts';
import { findUsageByToken } from '../../../adapters/postgres/data/usage.ts';
import { missingAgents } from '../../../adapters/postgres/conversations/agents.ts';
import {
  accessText,
  scopesToGive,
  tokenScopes,
  type TokenScope,
} from '../../../contract/accounts/token-scopes.ts';
import {
  apiToken,
  createdToken,
  createTokenForm,
  rotateTokenForm,
  type ApiToken,
} from '../../../contract/accounts/tokens.ts';
import { invalidField, orNotFound, PublicError } from '../../../contract/errors.ts';
import type { PersonCaller } from '../../caller.ts';
import { defineEndpoint } from '../../endpoint.ts';
import type { ApiDeps } from '../../deps.ts';

const params = z.object({ id: z.uuid() });
const creating = { auth: 'session', capability: 'tokens.create' } as const;

function tokenView(row: TokenRow, used: ApiToken['this_month'] = { messages: 0, credits: 0 }): ApiToken {
  const { previous_until: until } = row;
  return {
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    status: statusOf(row),
    full_access: row.scopes === null,
    before_scopes: row.before_scopes,
    scopes: [...(row.scopes ?? tokenScopes)],
    agents: row.agent_ids === null ? null : (row.agents ?? []),
    expires_at: row.expires_at?.toISOString() ?? null,
    created_by: row.created_by_name,
    created_by_id: row.created_by,
    rotated_by_id: row.rotated_by,
    previous_until: until !== null && until.getTime() > Date.now() ? until.toISOString() : null,
    created_at: row.created_at.toISOString(),
    last_used_at: row.last_used_at?.toISOString() ?? null,
    call_count: row.call_count,
    monthly_credit_limit: row.monthly_credit_limit,
    credit_caps: row.credit_caps,
    monthly_message_limit: row.monthly_message_limit,
    this_month: { messages: used.messages, credits: used.credits },
  };
}

/** @returns the token in the console's form, with its usage of this month */
async function usedToken({ db }: ApiDeps, row: TokenRow): Promise<ApiToken> {
  return tokenView(row, (await findUsageByToken(db, row.organization_id)).get(row.id));
}

/**
 * Checks that a user may give a token these scopes.
 * @param wanted null for full access
 * @throws PublicError forbidden, naming the scopes that the user may not give
 */
function demandToGive({ capabilities }: PersonCaller, wanted: readonly TokenScope[] | null): void {
  const mine = scopesToGive(capabilities);
  const missing = (wanted ?? tokenScopes).filter((scope) => !mine.includes(scope));
  if (missing.length === 0) return;
  throw new PublicError('forbidden', {
    sentence: `Your role does not allow you to give a token these scopes: ${missing.join(', ')}.`,
  });
}

/**
 * Determines the scopes of a new token for which the user has chosen none.
 * @returns all scopes that the user may give; undefined, for full access, if the user may give every scope
 */
function scopesByDefault({ capabilities }: PersonCaller): TokenScope[] | undefined {
  const mine = scopesToGive(capabilities);
  return mine.length === tokenScopes.length ? undefined : mine;
}

/** @throws PublicError not_found if the organization has no such token */
async function findToken({ db }: ApiDeps, organizationId: string, id: string): Promise<TokenRow> {
  const row = await findRow(db, id);
  if (row?.organization_id !== organizationId) throw new PublicError('not_found');
  return row;
}

export const listTokens = defineEndpoint({
  auth: 'session',
  request: 'GET /tokens',
  capability: 'tokens.view',
  answers: { 200: z.object({ data: z.array(apiToken) }) },
  handle: async ({ caller: { organizationId } }, { db }, respond) => {
    const used = await findUsageByToken(db, organizationId);
    const rows = await findTokens(db, organizationId);
    return respond(200, { data: rows.map((row) => tokenView(row, used.get(row.id))) });
  },
});

export const createToken = defineEndpoint({
  ...creating,
  request: 'POST /tokens',
  sometimes: 'the capability of each scope that the token gets',
  body: createTokenForm,
  answers: { 201: createdToken },
  handle: async ({ caller: person, body }, deps, respond) => {
    const { organizationId } = person;
    const {
      name,
      scopes = scopesByDefault(person),
      agent_ids: agentIds,
      expires_in_days: expiresInDays,
    } = body;
    demandToGive(person, scopes ?? null);
    const missing = await missingAgents(deps.db, organizationId, agentIds ?? []);
    if (missing.length > 0) throw invalidField('agent_ids', 'names no agent of this organization');
    const made = await inTransaction(deps.db, async (tx) => {
      const by = { userId: person.userId, name: person.email };
      const created = await insertToken(tx, {
        organizationId,
        name,
        agentIds,
        expiresInDays,
        by,
        scopes: scopes && [...new Set(scopes)],
      });
      await recordAudit(tx, person, 'token_created', `${name} (${created.prefix}…): ${accessText(scopes)}`);
      return created;
    });
    const row = await findToken(deps, organizationId, made.id);
    return respond(201, { ...tokenView(row), token: made.token });
  },
});

/**
 * Gives a token a new secret. The caller, who gets the secret and can use it, must be allowed to give each scope of the
 * token.
 */
export const rotateToken = defineEndpoint({
  ...creating,
  request: 'POST /tokens/{id}/rotate',
  sometimes: 'the capability of each scope of the token',
  params,
  body: rotateTokenForm,
  answers: { 200: createdToken },
  handle: async ({ caller: person, params: { id }, body }, deps, respond) => {
    const { organizationId } = person;
    const { scopes } = await findToken(deps, organizationId, id);
    demandToGive(person, scopes);
    const rotated = await inTransaction(deps.db, async (tx) => {
      const made = await replaceSecret(tx, id, organizationId, {
        overlapSeconds: body.overlap_seconds,
        by: person.userId,
      });
      if (made === undefined)
        throw new PublicError('invalid_state', { sentence: 'Only an active token can be rotated.' });
      await recordAudit(tx, person, 'token_rotated', `${made.name} (${made.prefix}…)`);
      return made;
    });
    const row = await findToken(deps, organizationId, id);
    return respond(200, { ...(await usedToken(deps, row)), token: rotated.token });
  },
});

export const revokeToken = defineEndpoint({
  ...creating,
  request: 'POST /tokens/{id}/revoke',
  params,
  answers: { 200: apiToken },
  handle: async ({ caller: person, params: { id } }, deps, respond) => {
    const row = await inTransaction(deps.db, async (tx) => {
      const revoked = orNotFound(await endToken(tx, id, person.organizationId));
      await recordAudit(tx, person, 'token_revoked', `${revoked.name} (${revoked.prefix}…)`);
      return revoked;
    });
    return respond(200, await usedToken(deps, row));
  },
});

export const deleteToken = defineEndpoint({
  auth: 'session',
  request: 'DELETE /tokens/{id}',
  capability: 'tokens.delete',
  params,
  handle: async ({ caller: person, params: { id } }, deps) => {
    await inTransaction(deps.db, async (tx) => {
      const row = orNotFound(await removeToken(tx, id, person.organizationId));
      await recordAudit(tx, person, 'token_deleted', `${row.name} (${row.prefix}…)`);
    });
  },
});
