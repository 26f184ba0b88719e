/** 401 of the workspace: about one request, about the token, or about nothing that lasts. */
import assert from 'node:assert/strict';
import { toolConnectionList } from '../../../src/contract/workspace/tools.ts';
import { newDocsCaller, startDocsStack, type DocsCaller, type DocsStack } from '../../support/docs-stack.ts';
import { until } from '../../support/until.ts';

const unauthorized = {
  kind: 'error',
  status: 401,
  code: 'unauthorized',
  message: 'API token is invalid.',
} as const;

describe('A workspace that answers 401', () => {
  let docs: DocsStack;
  before(async () => {
    docs = await startDocsStack({ GATEWAY_WATCH_SECONDS: '1' });
  });
  after(async () => {
    await docs.stack.stop();
    await Promise.all([docs.emulator.stop(), docs.model.close()]);
  });
  beforeEach(() => {
    docs.emulator.reset();
  });

  const statusOf = async ({ api }: DocsCaller) =>
    toolConnectionList.parse((await api.call('GET', '/tools/docs/connections')).body).data[0]?.status;
  const home = () => docs.emulator.ids.home;

  it('for one page only: that action fails with the reason; the connection still works for all others', async () => {
    const { emulator } = docs;
    const caller = await newDocsCaller(docs);
    const page = await caller.ok('DOCS_CREATE_DOCS_PAGE', { title: 'Locked', parent_id: home() });
    emulator.faults.add({ path: new RegExp(String(page['id'])), times: 1000, fault: unauthorized });
    for (const [action, input] of [
      ['DOCS_RETRIEVE_PAGE', { page_id: page['id'] }],
      ['DOCS_GET_PAGE_MARKDOWN', { page_id: page['id'] }],
      ['DOCS_ADD_PAGE_CONTENT', { page_id: page['id'], content_block: 'x' }],
    ] as const) {
      const { successful, error } = await caller.run(action, input);
      assert.equal(successful, false);
      assert.match(error ?? '', /^NOT_AUTHORIZED \(HTTP 401\).*connection itself works.*share/);
      assert.doesNotMatch(error ?? '', /made again/);
    }
    assert.equal(await statusOf(caller), 'connected');
    await caller.ok('DOCS_RETRIEVE_PAGE', { page_id: home() });
  });

  it('and does not answer whether the token is valid: the action waits, and the connection stays unchanged', async () => {
    const { emulator } = docs;
    const caller = await newDocsCaller(docs);
    emulator.faults.add({ path: `/v1/pages/${home()}`, fault: unauthorized });
    emulator.faults.add({ path: '/v1/users/me', fault: { kind: 'unavailable' } });
    await caller.ok('DOCS_RETRIEVE_PAGE', { page_id: home() });
    assert.equal(await statusOf(caller), 'connected');
  });

  it('in the middle of a write, for this request only: nothing is written twice', async () => {
    const { emulator } = docs;
    const caller = await newDocsCaller(docs);
    emulator.faults.add({ method: 'POST', path: '/v1/pages', fault: unauthorized });
    emulator.faults.add({ path: '/v1/users/me', fault: { kind: 'bad-gateway' } });
    await caller.ok('DOCS_CREATE_DOCS_PAGE', { title: 'Once', parent_id: home() });
    assert.deepEqual(
      emulator.outline(home()).filter((line) => line.includes('Once')),
      ['child_page: Once'],
    );
  });

  it('to everything for a while: the connection is marked as refused, and recovers without user action', async () => {
    const { emulator, stack } = docs;
    const caller = await newDocsCaller(docs);
    const start = emulator.snapshot();
    emulator.forgetToken(emulator.tokens.main);
    await caller.run('DOCS_GET_ABOUT_ME', {});
    assert.equal(await statusOf(caller), 'needs_reconnect');
    const soon = async () => {
      emulator.requests.length = 0;
      await stack.db
        .knex('tool_connections')
        .where({ organization_id: caller.organizationId })
        .update({ next_check_at: new Date() });
      await until('a look', () => emulator.count('GET', '/v1/users/me') > 0);
    };
    await soon();
    assert.equal(await statusOf(caller), 'needs_reconnect');
    emulator.restore(start);
    await soon();
    await until('the connection to be back', async () => (await statusOf(caller)) === 'connected');
    await caller.ok('DOCS_RETRIEVE_PAGE', { page_id: home() });
  });
});
