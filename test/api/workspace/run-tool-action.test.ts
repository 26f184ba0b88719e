import assert from 'node:assert/strict';
import { Client, Connection } from '@temporalio/client';
import type { Database } from '../../../src/adapters/postgres/database.ts';
import { toolActionList } from '../../../src/contract/workspace/tools.ts';
import { toolWorkflows } from '../../../src/adapters/temporal/tool-workflows.ts';
import { createToolRunner } from '../../../src/app/workspace/run-tool.ts';
import type { PublicError } from '../../../src/contract/errors.ts';
import { newDocsCaller, useDocsStack } from '../../support/docs-stack.ts';
import { until } from '../../support/until.ts';

describe('GET /v1/tools/docs/actions', () => {
  const docs = useDocsStack();

  it('lists the 45 actions with their schemas', async () => {
    const answer = await docs().stack.api.call('GET', '/tools/docs/actions');
    const { data } = toolActionList.parse(answer.body);
    assert.equal(data.length, 45);
    for (const { action, input_schema, summary } of data) {
      assert.match(action, /^DOCS_[A-Z_]+$/);
      assert.equal(input_schema['type'], 'object', action);
      assert.ok(summary.length > 10);
    }
    assert.deepEqual(
      data
        .filter((one) => one.deprecated)
        .map((one) => one.action)
        .sort(),
      ['DOCS_ADD_PAGE_CONTENT', 'DOCS_APPEND_BLOCK_CHILDREN', 'DOCS_GET_ABOUT_ME'],
    );
  });
});

/** A runner like that of the API, with another timeout. */
const runnerWith = (db: Database, client: Client, timeoutMs: number, deadlineMs = 10_000) =>
  createToolRunner(
    db,
    toolWorkflows({
      ...{ client, taskQueue: 'agents', deadlineMs },
    }),
    timeoutMs,
  );

describe('POST /v1/tools/docs/actions/{action}', () => {
  const docs = useDocsStack();

  it('200: runs it in the connected workspace', async () => {
    const { emulator } = docs();
    const caller = await newDocsCaller(docs());
    const page = await caller.ok('DOCS_CREATE_DOCS_PAGE', { title: 'Plan', parent_id: emulator.ids.home });
    await caller.ok('DOCS_ADD_MULTIPLE_PAGE_CONTENT', {
      parent_block_id: page['id'],
      content_blocks: [{ content: 'Begin' }],
    });
    assert.deepEqual(emulator.outline(String(page['id'])), ['paragraph: Begin']);
  });

  it('200 even if the action failed: successful is false, and the error says what to do', async () => {
    const caller = await newDocsCaller(docs());
    const unknown = await caller.run('DOCS_RETRIEVE_PAGE', { page_id: docs().emulator.ids.secret });
    assert.equal(unknown.successful, false);
    assert.match(unknown.error ?? '', /^NOT_FOUND_OR_NOT_SHARED \(HTTP 404\).*share the page/);
    const wrong = await caller.run('DOCS_RETRIEVE_PAGE', { page_id: 'no id' });
    assert.match(wrong.error ?? '', /^INVALID_INPUT: page_id/);
    assert.equal(wrong.data, '{}');
  });

  it('waits for the import of an external file, which is pending at first', async () => {
    const { emulator } = docs();
    const caller = await newDocsCaller(docs());
    emulator.settings.importMs = 1500;
    const file = { filename: 'a.pdf', external_url: 'https://example.com/a.pdf' };
    const upload = await caller.ok('DOCS_CREATE_FILE_UPLOAD', { mode: 'external_url', ...file });
    assert.equal(upload['status'], 'uploaded');
    assert.equal(emulator.count('POST', '/v1/file_uploads'), 1);
  });

  it('accepts the input as JSON text too', async () => {
    const caller = await newDocsCaller(docs());
    const result = await caller.run('DOCS_FETCH_DATA', JSON.stringify({ fetch_type: 'pages' }));
    assert.equal(result.successful, true, result.error);
  });

  it('404 for an unknown action', async () => {
    const { api } = await newDocsCaller(docs());
    await api.refused(404, 'POST', '/tools/docs/actions/DOCS_NOTHING', { body: { input: {} } });
  });

  it('the same Idempotency-Key is the same run, also when both arrive at once; another body is refused', async () => {
    const { emulator } = docs();
    const { api } = await newDocsCaller(docs());
    const path = '/tools/docs/actions/DOCS_CREATE_DOCS_PAGE';
    const call = (title: string) =>
      api.call('POST', path, {
        body: { input: { title, parent_id: emulator.ids.home } },
        headers: { 'Idempotency-Key': 'one' },
      });
    const [first, second] = await Promise.all([call('Once'), call('Once')]);
    assert.equal(first.status, 200, JSON.stringify(first.body));
    assert.deepEqual(second.body, first.body);
    assert.deepEqual((await call('Once')).body, first.body);
    assert.equal(emulator.count('POST', '/v1/pages'), 1);
    const other = await call('Another');
    assert.deepEqual([other.status, (other.body as { code: string }).code], [409, 'idempotency_conflict']);
  });

  it('504 if it takes too long: the action continues, and a repeat with the same key returns its result', async () => {
    const { emulator, stack } = docs();
    const { organizationId } = await newDocsCaller(docs());
    const { tokenId } = await stack.stranger();
    const runner = runnerWith(stack.db, stack.temporal.client, 50);
    const idempotency = { tokenId, key: crypto.randomUUID(), requestHash: 'a' };
    const call = {
      ...{ organizationId, action: 'DOCS_CREATE_DOCS_PAGE', connectionId: undefined },
      actor: { kind: 'system', name: 'a test' } as const,
      input: { title: 'Late', parent_id: emulator.ids.home },
    };
    emulator.faults.add({ method: 'POST', path: '/v1/pages', times: 2, fault: { kind: 'slow', ms: 1500 } });
    await assert.rejects(
      runner.run({ ...call, idempotency }),
      /is still running\. Repeat the call with the same Idempotency-Key/,
    );
    await assert.rejects(runner.run(call), /is still running\. Do not repeat the call/);
    const result = await until('its result', () =>
      runner.run({ ...call, idempotency }).catch((error: unknown) => {
        assert.equal((error as PublicError).code, 'sync_timeout', String(error));
        return undefined;
      }),
    );
    assert.ok(result.successful, result.error);
    await until('the other to be done', () => emulator.count('POST', '/v1/pages') === 2);
  });

  it('503 while Temporal is unreachable; an action that an earlier call with the key started continues, and is not started twice', async () => {
    const { emulator, stack } = docs();
    const { organizationId } = await newDocsCaller(docs());
    const { tokenId } = await stack.stranger();
    const away = new Client({ connection: Connection.lazy({ address: '127.0.0.1:9' }) });
    const call = {
      ...{ organizationId, action: 'DOCS_CREATE_DOCS_PAGE', connectionId: undefined },
      ...{ input: { title: 'Begun', parent_id: emulator.ids.home } },
      actor: { kind: 'system', name: 'a test' } as const,
      idempotency: { tokenId, key: crypto.randomUUID(), requestHash: 'a' },
    };
    // It reads for as long as all this takes.
    const held = emulator.faults.add({
      ...{ method: 'GET', path: `/v1/pages/${emulator.ids.home}`, times: 2 },
      fault: { kind: 'hang' },
    });
    await assert.rejects(runnerWith(stack.db, stack.temporal.client, 50).run(call), { code: 'sync_timeout' });
    await until('it to have begun', () => held.hits > 0);
    await assert.rejects(runnerWith(stack.db, away, 50, 500).run(call), { code: 'unavailable' });
    const result = await runnerWith(stack.db, stack.temporal.client, 60_000).run(call);
    assert.ok(result.successful, result.error);
    assert.equal(emulator.count('POST', '/v1/pages'), 1);
  });

  it('a revoked key fails with NOT_AUTHORIZED, and the connection says that it must be connected again', async () => {
    const { emulator } = docs();
    const caller = await newDocsCaller(docs());
    emulator.forgetToken(emulator.tokens.main);
    const result = await caller.run('DOCS_GET_ABOUT_ME', {});
    assert.match(result.error ?? '', /^NOT_AUTHORIZED \(HTTP 401\).*connection.*again/);
    const list = await caller.api.call('GET', '/tools/docs/connections');
    assert.equal((list.body as { data: { status: string }[] }).data[0]!.status, 'needs_reconnect');
    const next = await caller.api.refused(409, 'POST', '/tools/docs/actions/DOCS_GET_ABOUT_ME', {
      body: { input: {} },
    });
    assert.match(next.error, /connect it again/);
  });

  it('leaves no text in the workflow history', async () => {
    const { stack, emulator } = docs();
    const caller = await newDocsCaller(docs());
    const secret = `zebra${crypto.randomUUID()}`;
    await caller.ok('DOCS_CREATE_DOCS_PAGE', { title: secret, parent_id: emulator.ids.home });
    const [row] = await stack.db
      .knex<{ id: string; input: string; organization_id: string }>('tool_executions')
      .where({ organization_id: caller.organizationId });
    assert.ok(row);
    assert.ok(row.input.includes(secret));
    const history = await stack.temporal.client.workflow.getHandle(`tool/${row.id}`).fetchHistory();
    const text = JSON.stringify(history, (_, value: unknown) =>
      value instanceof Uint8Array ? Buffer.from(value).toString() : value,
    );
    assert.ok(text.includes(row.id));
    assert.ok(!text.includes(secret));
  });
});
