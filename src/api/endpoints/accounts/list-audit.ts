import { listAudit as findAudit } from '../../../adapters/postgres/accounts/audit-log.ts';
import { auditEntry, auditQuery } from '../../../contract/accounts/audit.ts';
import { pageOf } from '../../../contract/page.ts';
import { defineEndpoint } from '../../endpoint.ts';

export const listAudit = defineEndpoint({
  auth: 'session',
  request: 'GET /audit',
  capability: 'audit.view',
  query: auditQuery,
  answers: { 200: pageOf(auditEntry) },
  handle: async ({ caller: person, query }, { db }, respond) =>
    respond(200, await findAudit(db, person.organizationId, query)),
});
