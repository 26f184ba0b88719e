/** Lists the audit log for the console, with the names of the agents and contacts that an entry identifies by ids. */
import { listAudit as findAudit } from '../../../adapters/postgres/accounts/audit-log.ts';
import { findContactNames } from '../../../adapters/postgres/conversations/conversation-rows.ts';
import { loadDestinations } from '../../../adapters/postgres/conversations/transcript.ts';
import { auditQuery, listedAuditEntry } from '../../../contract/accounts/audit.ts';
import { pageOf } from '../../../contract/page.ts';
import { mayView } from '../../admit.ts';
import { defineEndpoint } from '../../endpoint.ts';

const uuids = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g;

export const listAudit = defineEndpoint({
  auth: 'session',
  request: 'GET /audit',
  capability: 'audit.view',
  query: auditQuery,
  answers: { 200: pageOf(listedAuditEntry) },
  handle: async ({ caller, query }, { db }, respond) => {
    const { organizationId } = caller;
    const page = await findAudit(db, organizationId, query);
    const ids = [...new Set(page.data.flatMap(({ target }) => target.match(uuids) ?? []))];
    const [agents, contacts] = await Promise.all([
      loadDestinations(db, organizationId, ids),
      mayView(caller) ? findContactNames(db, organizationId, ids) : [],
    ]);
    const agentsIn = (target: string) =>
      agents
        .filter(({ id }) => target.includes(id))
        .map(({ id, name, deleted }) => ({ id, name, is_deleted: deleted }));
    return respond(200, {
      ...page,
      data: page.data.map((entry) => ({
        ...entry,
        agents: agentsIn(entry.target),
        contacts: contacts.filter(({ id }) => entry.target.includes(id)),
      })),
    });
  },
});
