/** Endpoints that list, create, revoke and delete API tokens. */
import { recordAudit } from '../../../adapters/postgres/accounts/audit-log.ts';
import { inTransaction } from '../../../adapters/postgres/database.ts';
import { z } from 'zod';
import {
  createToken as insertToken,
  deleteToken as removeToken,
  listTokens as findTokens,
  revokeToken as endToken,
  type TokenRow,
} from '../../../adapters/postgres/accounts/tokens.ts';
import { findUsageByToken } from '../../../adapters/postgres/data/usage.ts';
import { apiToken, createdToken, createTokenForm, type ApiToken } from '../../../contract/accounts/tokens.ts';
import { PublicError } from '../../../contract/errors.ts';
import { defineEndpoint } from '../../endpoint.ts';
import type { ApiDeps } from '../../deps.ts';

const params = z.object({ id: z.uuid() });

function tokenView(row: TokenRow, used: ApiToken['this_month'] = { messages: 0, credits: 0 }): ApiToken {
  return {
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    status: row.revoked_at === null ? 'Active' : 'Revoked',
    created_at: row.created_at.toISOString(),
    last_used_at: row.last_used_at?.toISOString() ?? null,
    call_count: row.call_count,
    monthly_credit_limit: row.monthly_credit_limit,
    monthly_message_limit: row.monthly_message_limit,
    this_month: used,
  };
}

async function findToken({ db }: ApiDeps, organizationId: string, id: string): Promise<TokenRow> {
  const row = (await findTokens(db, organizationId)).find((one) => one.id === id.toLowerCase());
  if (row === undefined) throw new PublicError('not_found');
  return row;
}

export const listTokens = defineEndpoint({
  auth: 'session',
  method: 'get',
  path: '/tokens',
  capability: 'tokens.view',
  answers: { 200: z.object({ data: z.array(apiToken) }) },
  handle: async ({ caller: { organizationId } }, { db }, respond) => {
    const used = await findUsageByToken(db, organizationId);
    const rows = await findTokens(db, organizationId);
    return respond(200, { data: rows.map((row) => tokenView(row, used.get(row.id))) });
  },
});

export const createToken = defineEndpoint({
  auth: 'session',
  method: 'post',
  path: '/tokens',
  capability: 'tokens.create',
  body: createTokenForm,
  answers: { 201: createdToken },
  handle: async ({ caller: person, body }, deps, respond) => {
    const { organizationId } = person;
    const made = await inTransaction(deps.db, async (tx) => {
      const created = await insertToken(tx, { organizationId, name: body.name });
      await recordAudit(tx, person, 'token_created', `${body.name} (${created.prefix}…)`);
      return created;
    });
    const row = await findToken(deps, organizationId, made.id);
    return respond(201, { ...tokenView(row), token: made.token });
  },
});

export const revokeToken = defineEndpoint({
  auth: 'session',
  method: 'post',
  path: '/tokens/{id}/revoke',
  capability: 'tokens.create',
  params,
  answers: { 200: apiToken },
  handle: async ({ caller: person, params: { id } }, deps, respond) => {
    const row = await inTransaction(deps.db, async (tx) => {
      const revoked = await endToken(tx, id, person.organizationId);
      if (revoked === undefined) throw new PublicError('not_found');
      await recordAudit(tx, person, 'token_revoked', `${revoked.name} (${revoked.prefix}…)`);
      return revoked;
    });
    const used = await findUsageByToken(deps.db, person.organizationId);
    return respond(200, tokenView(row, used.get(row.id)));
  },
});

export const deleteToken = defineEndpoint({
  auth: 'session',
  method: 'delete',
  path: '/tokens/{id}',
  capability: 'tokens.delete',
  params,
  answers: { 204: z.undefined() },
  handle: async ({ caller: person, params: { id } }, deps, respond) => {
    await inTransaction(deps.db, async (tx) => {
      const row = await removeToken(tx, id, person.organizationId);
      if (row === undefined) throw new PublicError('not_found');
      await recordAudit(tx, person, 'token_deleted', `${row.name} (${row.prefix}…)`);
    });
    return respond(204, undefined);
  },
});
