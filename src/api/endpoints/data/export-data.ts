import { Readable } from 'node:stream';
import { z } from 'zod';
import {
  exportLines,
  isContactKnown,
  recordExport,
  type ExportPlan,
} from '../../../adapters/postgres/data/export.ts';
import { inOrganization } from '../../../adapters/postgres/organization-scope.ts';
import { PublicError } from '../../../contract/errors.ts';
import { contactParams } from '../../../contract/accounts/organization.ts';
import type { KnownCaller } from '../../caller.ts';
import type { ApiDeps } from '../../deps.ts';
import { defineEndpoint, jsonLines } from '../../endpoint.ts';

const description =
  'JSON lines, each an object with its `type`: agent, contact, conversation, message, attachment (with `content_base64`), tool_call, tool_run, delivery, and at the very end `end` with the number of lines before it: without it the answer was cut off. What changes while it is read may be in it or not.';
const lines = z.custom<Readable>().meta({ type: 'string', description });

/**
 * Records the audit event and starts the export. Reads the first line before the response begins, so that an error
 * until then gets an error response.
 */
async function linesOf({ db }: ApiDeps, caller: KnownCaller, plan: ExportPlan): Promise<Readable> {
  await recordExport(db, caller, plan);
  // The streams read the other lines in callbacks that may run outside of the handler's scope, so each query enters the
  // organization's scope again. The stream buffers only one line at a time.
  const all = exportLines(db, (query) => inOrganization(plan.organizationId, query), plan);
  const first = await all.next();
  const whole = async function* () {
    if (first.done !== true) yield first.value;
    yield* all;
  };
  return Readable.from(whole(), { highWaterMark: 1 });
}

const shared = {
  auth: 'token',
  scope: 'data.manage',
  agents: 'organization',
  answers: { 200: lines },
  produces: jsonLines,
} as const;

export const exportOrganization = defineEndpoint({
  ...shared,
  request: 'GET /export',
  tag: 'Organization',
  summary: 'Export all data of your organization as JSON lines',
  description: 'Agents, contacts and conversations with all their data; no secrets, people or audit log.',
  handle: async ({ caller }, deps, respond) =>
    respond(200, await linesOf(deps, caller, { organizationId: caller.organizationId })),
});

export const exportContact = defineEndpoint({
  ...shared,
  request: 'GET /contacts/{contactId}/export',
  tag: 'Conversations',
  summary: 'Export all data of one contact as JSON lines',
  description: 'Conversations of the contact with every agent and inbox, with all their data.',
  params: contactParams,
  handle: async ({ params: { contactId }, caller }, deps, respond) => {
    const { organizationId } = caller;
    if (!(await isContactKnown(deps.db, organizationId, contactId))) throw new PublicError('not_found');
    return respond(200, await linesOf(deps, caller, { organizationId, contactId }));
  },
});
