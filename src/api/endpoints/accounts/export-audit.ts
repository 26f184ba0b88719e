/** Exports the audit log as CSV or JSON lines. */
import { Readable } from 'node:stream';
import { z } from 'zod';
import { auditEntries, recordAudit } from '../../../adapters/postgres/accounts/audit-log.ts';
import { inTransaction } from '../../../adapters/postgres/database.ts';
import { inOrganization } from '../../../adapters/postgres/organization-scope.ts';
import { auditFilters } from '../../../contract/accounts/audit.ts';
import { auditText, type AuditFormat } from '../../../domain/accounts/audit-text.ts';
import { defineEndpoint, jsonLines } from '../../endpoint.ts';

const mediaTypes: Record<AuditFormat, string> = { csv: 'text/csv; charset=utf-8', jsonl: jsonLines };

const exportAudit = (format: AuditFormat) =>
  defineEndpoint({
    auth: 'session',
    request: `GET /audit/export.${format}`,
    capability: 'audit.view',
    query: auditFilters,
    answers: { 200: z.custom<Readable>() },
    produces: mediaTypes[format],
    handle: async ({ caller: person, query }, { db }, respond) => {
      const { organizationId } = person;
      const filters = Object.entries(query).map(([name, value]) => `${name} ${value}`);
      await inTransaction(db, (tx) =>
        recordAudit(tx, person, 'audit_exported', [format, ...filters].join(', ')),
      );
      // The entries are read after the handler's scope has ended, so each query enters the organization's scope again.
      const entries = auditEntries(db, (ask) => inOrganization(organizationId, ask), organizationId, query);
      return respond(200, Readable.from(auditText(entries, format)));
    },
  });

export const exportAuditCsv = exportAudit('csv');
export const exportAuditLines = exportAudit('jsonl');
