/** Limits of data that the console knows too. Imports no zod, so that the console can use this file without loading zod. */

/** Maximum agents of which the overview shows figures. Chosen. */
export const maxOverviewAgents = 20;

/** Days for which a row of the request log is kept. Chosen. */
export const requestLogDays = 7;
/** Days for which a rehearsal is kept. Chosen. */
export const rehearsalDays = 90;
/** Days for which an entry of the audit log is kept by default. Must equal the default of audit_chains.retention_days. */
export const auditLogDays = 365;
