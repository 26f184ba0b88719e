/** Endpoints that erase a contact, and that count how much an erasure or a shorter retention would delete. */
import { z } from 'zod';
import { measureErasure } from '../../../adapters/postgres/data/erasure-size.ts';
import { countExpiring as count } from '../../../adapters/postgres/data/retention.ts';
import { erase, erasing } from '../../../app/data/erase.ts';
import { contactParams, expiring, expiringQuery } from '../../../contract/accounts/organization.ts';
import { erasureSize, erasureSizeQuery } from '../../../contract/data/erasure-size.ts';
import { defineEndpoint } from '../../endpoint.ts';

export const deleteContact = defineEndpoint({
  auth: 'token',
  scope: 'data.manage',
  agents: 'organization',
  request: 'DELETE /contacts/{contactId}',
  tag: 'Conversations',
  summary: 'Erase a contact: all of their conversations and channel records',
  description:
    "Erases all data of one end user in the organization: every conversation with this contact id, at every agent and inbox, and the channels' records of their phone number and LID. A person whom the channels know under several ids is erased under all of them. A later message starts a new contact.",
  params: contactParams,
  answers: { 202: erasing, 204: z.undefined() },
  handle: async ({ params, caller }, deps, respond) => {
    const done = await erase(deps, caller, 'contact', params.contactId);
    return done ? respond(204, undefined) : respond(202, { status: 'erasing' });
  },
});

/** Counts what an erasure would delete. The console calls it before it requests the erasure, which cannot be undone. */
export const getErasureSize = defineEndpoint({
  auth: 'session',
  request: 'GET /erasure-size',
  capability: 'data.manage',
  query: erasureSizeQuery,
  answers: { 200: erasureSize },
  handle: async ({ caller: person, query }, { db }, respond) =>
    respond(200, await measureErasure(db, person.organizationId, query)),
});

/**
 * Counts how much a shorter retention would erase. The console calls it before it saves the setting, because erased
 * data cannot be restored.
 */
export const countExpiring = defineEndpoint({
  auth: 'session',
  request: 'GET /organization/expiring',
  capability: 'data.manage',
  query: expiringQuery,
  answers: { 200: expiring },
  handle: async ({ caller: person, query }, { db }, respond) =>
    respond(200, await count(db, person.organizationId, query.days)),
});
