import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorTable } from '../../src/contract/error-table.ts';
import { projectRoot } from '../../src/local/project-root.ts';

/** As callers know them: written here by hand, so that a change of the table alone is seen. */
const promised = {
  ...{ invalid_json: 400, unauthorized: 401 },
  ...{ credit_limit_reached: 402, message_limit_reached: 402, storage_limit_reached: 402 },
  ...{ forbidden: 403, not_found: 404, method_not_allowed: 405 },
  ...{ idempotency_conflict: 409, agent_inactive: 409, conflict: 409, version_conflict: 409 },
  ...{ cancelled: 409, invalid_state: 409, payload_too_large: 413, unsupported_media_type: 415 },
  ...{ validation_failed: 422, invalid_credentials: 422, rate_limited: 429, internal: 500 },
  ...{ agent_failed: 502, gateway_unreachable: 502, unavailable: 503, sync_timeout: 504 },
};

describe('Error codes', () => {
  it('keep the status that callers rely on', () => {
    const known = Object.entries(errorTable).map(([code, [status]]) => [code, status]);
    assert.deepEqual(Object.fromEntries(known), promised);
  });
});

describe('docs/api.md', () => {
  it('has every error code with its status, and what to do about it', () => {
    const page = readFileSync(join(projectRoot, 'docs/api.md'), 'utf8');
    const rows = [...page.matchAll(/^\| (\d{3}) +\| `(\w+)` +\| (\S.*?) *\|$/gm)];
    const named = rows.map(([, status, code]) => [code, Number(status)]);
    const known = Object.entries(errorTable).map(([code, [status]]) => [code, status]);
    assert.deepEqual(named.sort(), known.sort());
  });
});
