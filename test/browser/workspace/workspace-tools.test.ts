/** The document workspace as tools: presets in an agent's settings, a first try, and actions that are run by hand. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Agent } from '../../../src/contract/conversations/agents.ts';
import { actionsIn } from '../../../src/console/components/workspace-presets.ts';
import type { DocsResult } from '../../../src/contract/workspace/actions.ts';
import { useConsole } from '../../support/browser/console.ts';
import { focused, opened, press, tabTo, type } from '../../support/browser/keyboard.ts';
import { connect } from '../../support/docs-stack.ts';
import { useStack } from '../../support/stack.ts';
import { until } from '../../support/until.ts';
import { startWorkspaceEmulator, type WorkspaceEmulator } from '../../support/workspace/emulator.ts';

const hostile = '<img src=x onerror="document.title=1"> handbook';

describe('The document workspace in the console', () => {
  let workspace: WorkspaceEmulator;
  const stack = useStack(async () => {
    workspace = await startWorkspaceEmulator();
    return {
      env: { DOCS_API_URL: workspace.url, ENCRYPTION_KEY: Buffer.alloc(32, 6).toString('base64') },
    };
  });
  after(async () => {
    await workspace.stop();
  });
  const shared = useConsole(() => stack);
  const run = async (action: string, input: unknown): Promise<DocsResult> => {
    const { status, body } = await shared().api.call('POST', `/tools/docs/actions/${action}`, {
      body: { input },
    });
    assert.equal(status, 200, JSON.stringify(body));
    return body as DocsResult;
  };

  it('an agent gets presets and single actions by keyboard alone; exactly these are stored, beside its other tools', async () => {
    const { signedIn, api } = shared();
    await connect(api, workspace.tokens.main);
    const tool = { name: 'find_order', description: 'Finds an order.', effect: 'read', method: 'GET' };
    const made = await api.call('POST', '/tools/http', {
      body: { ...tool, url: 'https://shop.example.com/orders' },
    });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    const agent = await api.createAgent({ name: 'Plant doctor', tools: ['find_order'] });
    const toolsOf = async () => ((await api.call('GET', `/agents/${agent.id}`)).body as Agent).tools;
    const visitor = await signedIn();
    const { page } = visitor;
    await visitor.open(`/agents/${agent.id}?tab=tools`);
    const group = page.getByRole('group', { name: 'Notion' });
    await group.getByText('Emulated workspace').waitFor();
    const preset = (name: string) => group.getByRole('checkbox', { name, exact: true });
    const isPartly = (name: string) =>
      preset(name).evaluate((box) => Reflect.get(box, 'indeterminate') as boolean);
    await group.getByText('Finds pages, databases and rows. 5 actions.').waitFor();
    await tabTo(page, 'May transfer to');
    await tabTo(page, 'Search');
    await page.keyboard.press('Space');
    await tabTo(page, 'Single actions: 5 of 45 chosen');
    await page.keyboard.press('Enter');
    await type(page, 'Search workspace actions', 'blocks to a page');
    await page.keyboard.press('Enter');
    await group.getByText('Adds headings, paragraphs, lists and more.').waitFor();
    assert.equal(await group.getByText('Adds tables with their rows.').count(), 0);
    await tabTo(page, 'Add blocks to a page');
    await page.keyboard.press('Space');
    await group.getByText('1 of 17 actions chosen.').waitFor();
    assert.deepEqual(
      [await preset('Search').isChecked(), await isPartly('Search'), await isPartly('Write')],
      [true, false, true],
    );
    await group.getByLabel('Search workspace actions').fill('delete');
    await group.getByText('It can remove what your team wrote.').first().waitFor();
    await visitor.look('agent-workspace-tools');
    await press(page, 'Save changes');
    await page.getByText('Saved', { exact: true }).waitFor();
    const search = actionsIn('search');
    assert.deepEqual(await toolsOf(), ['find_order', ...search, 'DOCS_ADD_MULTIPLE_PAGE_CONTENT']);
    const saves = (await visitor.allAnswers()).filter(({ method }) => method === 'PATCH');
    assert.equal(saves.length, 1, 'Enter in the search saved the agent');

    await page.reload();
    await group.getByText('1 of 17 actions chosen.').waitFor();
    await tabTo(page, 'May transfer to');
    await tabTo(page, 'Search');
    await page.keyboard.press('Space');
    await tabTo(page, 'Write');
    await page.keyboard.press('Space');
    await group.getByText('17 actions.').waitFor();
    const policies = page.getByRole('group', { name: 'Tool policies' });
    await policies.getByText('17 workspace actions run without asking').click();
    await policies.getByRole('combobox', { name: 'Policy of Add blocks to a page' }).waitFor();
    await visitor.look('agent-workspace-policies');
    await press(page, 'Save changes');
    await until('the preset to be saved', async () => (await toolsOf()).length === 18);
    assert.deepEqual((await toolsOf()).sort(), ['find_order', ...actionsIn('write')].sort());
  });

  it('an agent without a connected workspace is warned, and one without workspace actions is led to connect one', async () => {
    const { signedIn, api, db } = shared();
    const agent = await api.createAgent({ name: 'Archivist', tools: ['DOCS_LIST_USERS'] });
    const other = await api.createAgent({ name: 'Greeter' });
    const visitor = await signedIn();
    const { page } = visitor;
    const group = page.getByRole('group', { name: 'Notion' });
    await visitor.open(`/agents/${other.id}?tab=tools`);
    await group.getByText('once a workspace is connected').waitFor();
    assert.equal(await group.getByRole('checkbox').count(), 0);
    await visitor.look('agent-workspace-not-offered');
    await group.getByRole('link', { name: 'Connect a workspace' }).click();
    await page.getByRole('article', { name: 'Notion' }).waitFor();

    await visitor.open(`/agents/${agent.id}?tab=tools`);
    await group.getByText('No workspace is connected, so the chosen workspace actions fail.').waitFor();
    await group.getByRole('link', { name: 'Connect a workspace' }).waitFor();
    await visitor.look('agent-workspace-missing');

    const { id } = await connect(api, workspace.tokens.main);
    await page.reload();
    await group.getByText('Emulated workspace').waitFor();
    assert.equal(await group.getByRole('link').count(), 0);
    await db.knex('tool_connections').where({ id }).update({ status: 'needs_reconnect' });
    await page.reload();
    await group.getByText('Emulated workspace no longer accepts the access of Parley').waitFor();
    await group.getByRole('link', { name: 'Connect again' }).click();
    await page.getByRole('row').filter({ hasText: 'Emulated workspace' }).waitFor();
  });

  it('a workspace is tried right after connecting it, by keyboard alone', async () => {
    const { signedIn } = shared();
    const visitor = await signedIn();
    const { page } = visitor;
    await visitor.open('/admin/tools');
    await page.getByRole('article', { name: 'Notion' }).waitFor();
    await press(page, 'Connect');
    await opened(page);
    assert.equal(await page.getByText('OAuth 2.0').count(), 0, 'what is not set up is not offered');
    await tabTo(page, 'API key');
    await page.keyboard.type(workspace.tokens.main);
    await page.keyboard.press('Enter');
    await until('the button to have the focus', async () => (await focused(page)).endsWith('Find a page'));
    await page.keyboard.press('Enter');
    await opened(page);
    const form = page.getByRole('dialog', { name: 'Find a page in Emulated workspace' });
    await until('the field to have the focus', async () =>
      (await focused(page)).endsWith('Find a page called'),
    );
    await page.keyboard.type('nothing like this');
    await page.keyboard.press('Enter');
    await form.getByText('No page found. Emulated connection sees only').waitFor();
    await form.getByText('then Connections, and choose Emulated connection.').waitFor();
    await visitor.look('tools-nothing-found');
    const created = await run('DOCS_CREATE_DOCS_PAGE', { title: hostile, parent_id: workspace.ids.home });
    assert.equal(created.successful, true, created.error);
    await type(page, 'Find a page called', '');
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('handbook');
    await page.keyboard.press('Enter');
    await form.getByText('1 page found').waitFor();
    await form.getByRole('link', { name: hostile }).waitFor();
    assert.equal(await page.locator('img[src="x"]').count(), 0);
    await visitor.look('tools-page-found');
  });

  it('an action runs by hand from fields and from JSON; its result is indented and can be copied', async () => {
    const { signedIn, api } = shared();
    await connect(api, workspace.tokens.main);
    await connect(api, workspace.tokens.other);
    const visitor = await signedIn();
    const { page } = visitor;
    await visitor.open('/admin/tools');
    await page.getByRole('button', { name: '45 actions' }).click();
    await page.getByRole('combobox', { name: 'In workspace' }).click();
    await page.getByRole('option', { name: 'Other workspace' }).click();
    await page.getByLabel('Search actions').fill('upload a file');
    await page.getByText('Upload a file', { exact: true }).click();
    const upload = page.getByRole('form', { name: 'Upload a file: Arguments' });
    const file = upload.getByRole('group', { name: 'file' });
    await file.getByLabel('name', { exact: true }).fill('note.txt');
    await upload.getByRole('button', { name: 'Run action' }).click();
    await until('both marks', async () => (await upload.getByText('This field is required').count()) === 2);
    await visitor.look('action-group');
    await upload.getByRole('switch', { name: 'Edit as JSON' }).click();
    const json = upload.getByLabel('All arguments, as JSON');
    assert.deepEqual(JSON.parse(await json.inputValue()), { file: { name: 'note.txt' } });
    await json.fill('{"file": {"name": "note.txt", "size": 3}}');
    await upload.getByRole('switch', { name: 'Edit as JSON' }).click();
    await upload.getByText('The form has no fields for some of these arguments.').waitFor();
    await visitor.look('action-json');
    await json.fill('[1');
    await upload.getByRole('button', { name: 'Run action' }).click();
    await upload.getByText('Enter the arguments as a JSON object').waitFor();
    await json.fill('{"file": {"name": "b.txt", "mimetype": "text/plain"}, "part_number": 2}');
    await upload.getByRole('switch', { name: 'Edit as JSON' }).click();
    assert.equal(await file.getByLabel('mimetype', { exact: true }).inputValue(), 'text/plain');
    assert.equal(await upload.getByLabel('part_number (optional)').inputValue(), '2');

    await page.getByLabel('Search actions').fill('list people');
    await tabTo(page, 'Search actions');
    await tabTo(page, 'In workspace');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    const people = page.getByRole('form', { name: 'List people: Arguments' });
    await people.waitFor();
    await tabTo(page, 'Edit as JSON');
    await page.keyboard.press('Space');
    await press(page, 'Run action');
    await people.getByText('Succeeded').waitFor();
    const shown = await people.getByRole('region', { name: 'List people: Result' }).innerText();
    assert.match(shown, /^\{\n {2}"/);
    assert.match(shown, /Other connection/);
    // Awaited before the key, because it is shown for 2 s only.
    await Promise.all([people.getByText('Copied').waitFor(), press(page, 'Copy result')]);
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    assert.deepEqual(JSON.parse(copied), JSON.parse(shown));
    await visitor.look('action-result');
  });

  it('the page Tools shows which agents use the workspace and each action, and the calls of today', async () => {
    const { signedIn, api } = shared();
    await connect(api, workspace.tokens.main);
    await api.createAgent({ name: 'Plant doctor', tools: ['DOCS_LIST_USERS', 'DOCS_FETCH_ROW'] });
    await api.createAgent({ name: 'Receptionist', tools: ['DOCS_LIST_USERS'] });
    await api.createAgent({ name: 'Zoe', tools: ['DOCS_FETCH_DATA'] });
    assert.equal((await run('DOCS_LIST_USERS', {})).successful, true);
    assert.equal((await run('DOCS_FETCH_ROW', { page_id: 'no id' })).successful, false);
    const visitor = await signedIn();
    const { page } = visitor;
    await visitor.open('/admin/tools');
    const card = page.getByRole('article', { name: 'Notion' });
    await page.getByRole('tab', { name: 'Connected' }).click();
    const connection = page.getByRole('row').filter({ hasText: 'Emulated workspace' });
    await connection.getByText('2 times today, 1 failed').waitFor();
    await connection.getByText('Last call failed').waitFor();
    for (const name of ['Plant doctor', 'Receptionist', 'Zoe'])
      await connection.getByRole('link', { name }).waitFor();
    await page.getByRole('tab', { name: 'Available' }).click();
    await card.getByText('1 workspace connected').waitFor();
    for (const name of ['Plant doctor', 'Receptionist', 'Zoe'])
      await card.getByRole('link', { name }).waitFor();
    await card.getByText('2 times today, 1 failed').waitFor();
    const failures = card.getByRole('link', { name: '1 failed' });
    assert.equal(await failures.getAttribute('href'), '/admin/tools?tab=connected');
    await card.getByRole('button', { name: 'Connect another' }).waitFor();
    await card.getByRole('button', { name: '45 actions' }).click();
    const line = (name: string) => page.locator('.action').filter({ hasText: name });
    await line('List people').getByText('Used by Plant doctor, Receptionist: once today').waitFor();
    await line('Read a row').getByText('Used by Plant doctor: once today, 1 failed').waitFor();
    await visitor.look('tools-used');
    const group = (name: string) => page.getByRole('region', { name, exact: true });
    assert.equal(await page.locator('.action').count(), 45);
    assert.equal(await group('Comments').locator('.action').count(), 3);
    await page.getByText('Changes 23', { exact: true }).click();
    await group('Comments').getByText('Write a comment').waitFor();
    assert.equal(await group('Comments').locator('.action').count(), 1);
    await page.getByLabel('Search actions').fill('nothing like this');
    await page.getByText('No action matches your search.').waitFor();
  });

  it('the search of the page Tools finds actions, HTTP tools and MCP tools, and leads to each of them', async () => {
    const { signedIn, api, db, organizationId } = shared();
    await connect(api, workspace.tokens.main);
    for (const name of ['refund_order', 'find_order']) {
      const body = { name, description: 'Calls the shop.', effect: 'write', method: 'POST' };
      const made = await api.call('POST', '/tools/http', { body: { ...body, url: 'https://shop.example/' } });
      assert.equal(made.status, 201, JSON.stringify(made.body));
    }
    const server = randomUUID();
    const owned = { organization_id: organizationId };
    await db.knex('mcp_servers').insert({
      ...{ ...owned, id: server, name: 'depot', url: 'https://mcp.depot.example/', auth: 'none' },
      ...{ status: 'connected', timeout_seconds: 30, answer_max_chars: 8000 },
    });
    await db.knex('mcp_tools').insert({
      ...{ ...owned, id: randomUUID(), server_id: server, name: 'mcp_depot_refund_a5b90d' },
      ...{
        remote_name: 'refund',
        description: hostile,
        parameters: '{"type":"object"}',
        digest: 'd'.repeat(64),
        effect: 'write',
      },
    });
    const visitor = await signedIn();
    const { page } = visitor;
    await visitor.open('/admin/tools');
    const found = page.getByRole('list', { name: 'Found tools' });
    const search = page.getByLabel('Search tools');
    assert.equal(await found.count(), 0);
    await page.getByPlaceholder('Search all 48 tools').waitFor();
    await page.getByText('Find order, Refund order', { exact: true }).waitFor();
    await search.fill('refund');
    await page.getByText('2 tools', { exact: true }).waitFor();
    const line = found.getByRole('listitem');
    await line.getByText('HTTP tool · Calls the shop.').waitFor();
    await line.getByText(`MCP tool of depot · ${hostile}`).waitFor();
    assert.equal(await line.getByText('Writes', { exact: true }).count(), 2);
    await visitor.look('tools-found');
    await found.getByRole('link', { name: 'refund_order' }).click();
    await page.getByRole('tab', { name: 'HTTP tools', selected: true }).waitFor();
    await page.getByRole('row', { name: /refund_order/ }).waitFor();
    await until('the tool to have the focus', async () => (await focused(page)).endsWith('refund_order'));

    await page.getByRole('tab', { name: 'Available' }).click();
    await search.fill('refund_a5');
    await found.getByRole('link', { name: 'refund', exact: true }).click();
    await until('the tool to have the focus', async () =>
      (await focused(page)).endsWith('mcp_depot_refund_a5b90d'),
    );
    await page.getByRole('tab', { name: 'Available' }).click();
    await search.fill('list people');
    await found.getByText('Notion action').waitFor();
    await found.getByRole('link', { name: 'List people' }).click();
    await page.getByRole('form', { name: 'List people: Arguments' }).waitFor();
    assert.equal(await page.getByLabel('Search actions').inputValue(), 'DOCS_LIST_USERS');
    assert.equal(await found.count(), 0);
    await search.fill('notion');
    await page.getByText(/^The first 20 of 45 tools$/).waitFor();
    assert.equal(await line.count(), 20);
    await search.fill('nothing like this');
    await page.getByText('No tools match your search.').waitFor();
    await visitor.look('tools-none-found');
  });
});
