/** The console's endpoint that tests a tool policy with sample arguments. */
import { policyTestForm, policyTestResult } from '../../../contract/conversations/policy-tests.ts';
import { PublicError } from '../../../contract/errors.ts';
import { decideCall, policyProblem } from '../../../domain/conversations/tool-policy.ts';
import { defineEndpoint } from '../../endpoint.ts';

export const testPolicy = defineEndpoint({
  auth: 'session',
  request: 'POST /policy-tests',
  capability: 'agents.manage',
  body: policyTestForm,
  answers: { 200: policyTestResult },
  handle: async ({ body }, _deps, respond) => {
    const policy = { tool: '', policy: body.policy, unless: body.unless };
    const invalid = policyProblem(policy);
    if (invalid !== undefined)
      throw new PublicError('validation_failed', {
        details: [{ path: invalid.field, message: invalid.message }],
      });
    return await Promise.resolve(respond(200, { decision: decideCall(policy, body.arguments) }));
  },
});
