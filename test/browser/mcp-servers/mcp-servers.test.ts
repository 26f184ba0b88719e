/** The MCP servers of the page Tools: added with a header, their tools chosen, tried, used and accepted again. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { McpOffer, McpServer } from '../../../src/contract/mcp-servers/mcp-servers.ts';
import { useConsole } from '../../support/browser/console.ts';
import { focused, opened, press, tabTo, type } from '../../support/browser/keyboard.ts';
import { chooseAction, pressAction } from '../../support/browser/row-actions.ts';
import { startMcpToolServer, type McpToolServer } from '../../support/mcp-tool-server.ts';
import { useStack } from '../../support/stack.ts';
import { until } from '../../support/until.ts';

describe('MCP servers in the console', () => {
  let shop: McpToolServer;
  const shared = useConsole(() =>
    useStack(async () => {
      shop = await startMcpToolServer();
      return { env: { ENCRYPTION_KEY: randomBytes(32).toString('base64'), TOOL_ALLOW: '127.0.0.1' } };
    }),
  );
  after(async () => {
    await shop.close();
  });

  it('a chosen tool is tried and used by an agent; if its server changes it, a person accepts the change', async () => {
    const { signedIn, api } = shared();
    const servers = async () =>
      ((await api.call('GET', '/tools/mcp')).body as { data: McpServer[] }).data.map(({ tools }) =>
        tools.map(({ remote_name, effect, status, description }) => [
          remote_name,
          effect,
          status,
          description,
        ]),
      );
    const visitor = await signedIn();
    visitor.expectRefusals();
    const { page } = visitor;
    const dialog = page.getByRole('dialog');
    const openServers = async () => {
      await visitor.open('/admin/tools');
      await page.getByRole('tab', { name: 'MCP servers' }).click();
    };
    await openServers();
    await page.getByText('No MCP servers yet').waitFor();
    await visitor.look('mcp-servers-empty');
    await page.getByRole('button', { name: 'Add MCP server' }).click();
    await dialog.getByRole('textbox', { name: 'Name' }).fill('shop');
    await dialog.getByRole('textbox', { name: 'Address' }).fill(shop.url);
    await dialog.getByLabel('Header', { exact: true }).fill('Authorization');
    await dialog.getByRole('button', { name: 'Save server' }).click();
    await dialog.getByText('Enter the value of the header.').waitFor();
    await dialog.getByLabel('Value of the header', { exact: true }).fill('Bearer key-of-the-shop');
    await visitor.look('mcp-server-form');
    await dialog.getByRole('button', { name: 'Save server' }).click();
    const server = page.getByRole('region', { name: 'shop', exact: true });
    // The tools of a new server are read at once.
    await dialog.getByRole('checkbox', { name: 'find-order' }).waitFor();
    await page.keyboard.press('Escape');
    await server.getByText('Agents can call none of its tools yet.').waitFor();

    await server.getByRole('button', { name: 'Choose tools' }).click();
    await dialog.getByRole('checkbox', { name: 'find-order' }).check();
    const effect = dialog.getByRole('combobox', { name: 'Effect of find-order' });
    await dialog.getByText('The server says that it only reads.').waitFor();
    assert.equal(await effect.inputValue(), 'Writes');
    await effect.click();
    await page.getByRole('option', { name: 'Reads' }).click();
    await dialog.getByRole('checkbox', { name: 'refund' }).check();
    assert.equal(await dialog.getByRole('combobox', { name: 'Effect of refund' }).inputValue(), 'Writes');
    await dialog.getByRole('checkbox', { name: 'refund' }).uncheck();
    await visitor.look('mcp-choose-tools');
    await dialog.getByRole('button', { name: 'Save 1 tool' }).click();
    await dialog.getByRole('heading', { name: /^Try mcp_shop_find_order/ }).waitFor();
    await page.keyboard.press('Escape');
    const row = server.getByRole('row', { name: /Find order/ });
    await row.getByText('No agent').waitFor();
    await row.getByText('not called today').waitFor();
    assert.deepEqual(await servers(), [[['find-order', 'read', 'ready', 'Finds an order by its number.']]]);
    assert.equal(shop.requests.at(-1)?.headers.authorization, 'Bearer key-of-the-shop');

    await row.getByRole('button', { name: 'Try' }).click();
    await dialog.getByLabel('id', { exact: true }).fill('17');
    await dialog.getByRole('button', { name: 'Send request' }).click();
    await dialog.getByText('order 17 is shipped').waitFor();
    await page.keyboard.press('Escape');
    await row.getByText('once today').waitFor();
    await visitor.look('mcp-servers');

    const agent = await api.createAgent({ name: 'Support' });
    await visitor.open(`/agents/${agent.id}?tab=tools`);
    await page.getByRole('combobox', { name: 'Tools', exact: true }).click();
    await page.getByRole('option', { name: /^mcp_shop_find_order/ }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Saved', { exact: true }).waitFor();

    const tool = shop.tools.find(({ name }) => name === 'find-order');
    assert.ok(tool);
    tool.description = 'Finds an order, and forgets it.';
    await openServers();
    await row.getByRole('link', { name: 'Support' }).waitFor();
    const chooseTools = server.getByRole('button', { name: 'Choose tools' });
    await chooseTools.click();
    const change = dialog.getByRole('region', { name: 'Change of find-order' });
    assert.equal(await change.locator('del').textContent(), 'Finds an order by its number.');
    assert.equal(await change.locator('ins').textContent(), 'Finds an order, and forgets it.');
    await visitor.look('mcp-tool-changed');
    await dialog.getByRole('button', { name: 'Save 1 tool' }).click();
    await row.getByText('Changed', { exact: true }).waitFor();
    assert.deepEqual(await servers(), [[['find-order', 'read', 'changed', 'Finds an order by its number.']]]);
    await visitor.open(`/agents/${agent.id}?tab=tools`);
    await page
      .getByText(/^The agent cannot call mcp_shop_find_order_\w+: the MCP server changed or removed it/)
      .waitFor();
    await visitor.look('agent-with-changed-tool');
    await page.getByRole('link', { name: 'Review under Tools, MCP servers.' }).click();
    await row.getByRole('button', { name: 'Review change' }).click();
    await dialog.getByRole('checkbox', { name: 'Accept the change of find-order' }).check();
    await dialog.getByRole('button', { name: 'Save 1 tool' }).click();
    await row.getByText('Finds an order, and forgets it.').waitFor();
    assert.deepEqual(await servers(), [[['find-order', 'read', 'ready', 'Finds an order, and forgets it.']]]);

    await chooseAction(server, 'Remove');
    await dialog.getByRole('button', { name: 'Remove server' }).click();
    await dialog.getByText(/Support/).waitFor();
    await visitor.look('mcp-server-in-use');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    assert.equal((await api.call('PATCH', `/agents/${agent.id}`, { body: { tools: [] } })).status, 200);
    await chooseAction(server, 'Remove');
    await dialog.getByRole('button', { name: 'Remove server' }).click();
    await page.getByText('No MCP servers yet').waitFor();
  });

  it('a server is added without a header, its tools are chosen and tried, by keyboard alone', async () => {
    const { signedIn } = shared();
    const own = await startMcpToolServer();
    const visitor = await signedIn();
    const { page } = visitor;
    const dialog = page.getByRole('dialog');
    await visitor.open('/admin/tools');
    await tabTo(page, 'Available');
    for (const _ of ['Connected', 'HTTP tools', 'MCP servers']) await page.keyboard.press('ArrowRight');
    await press(page, 'Add MCP server');
    await opened(page);
    await press(page, 'Save server');
    await until('both marks', async () => (await dialog.getByText('This field is required').count()) === 2);
    assert.match(await focused(page), /Name/);
    await page.keyboard.type('own');
    await page.keyboard.press('Tab');
    await page.keyboard.type(own.url);
    await page.keyboard.press('Enter');
    await dialog.getByRole('checkbox', { name: 'refund' }).waitFor();
    await tabTo(page, 'refund');
    await page.keyboard.press('Space');
    await tabTo(page, 'find-order');
    await page.keyboard.press('Space');
    await tabTo(page, 'Effect of find-order');
    await page.keyboard.press('Enter');
    const reads = page.getByRole('option', { name: 'Reads' });
    await reads.waitFor();
    while ((await reads.getAttribute('data-combobox-selected')) === null)
      await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await press(page, 'Save 2 tools');
    // A first try of the tool that only reads; the other one can be selected.
    await dialog.getByRole('heading', { name: /^Try mcp_own_find_order/ }).waitFor();
    const tool = dialog.getByRole('combobox', { name: 'Tool' });
    assert.match(await tool.inputValue(), /^mcp_own_find_order/);
    await type(page, 'id', '17');
    await page.keyboard.press('Enter');
    await dialog.getByText('order 17 is shipped').waitFor();
    await visitor.look('mcp-first-try');
    await tool.click();
    await page.getByRole('option', { name: 'mcp_own_refund' }).click();
    await dialog.getByRole('heading', { name: 'Try mcp_own_refund' }).waitFor();
    assert.equal(await dialog.getByLabel('id', { exact: true }).inputValue(), '');
    await page.keyboard.press('Escape');
    const row = page.getByRole('row', { name: /Find order/ });
    await row.getByText('Reads', { exact: true }).waitFor();
    await press(page, 'Try');
    await opened(page);
    await page.keyboard.press('Escape');
    await until('the focus to be back', async () => (await focused(page)).endsWith('Try'));
    assert.ok(own.requests.every(({ headers }) => headers.authorization === undefined));
    await pressAction(page, 'own', 'Edit');
    await dialog.getByText(/Parley calls it without a header/).waitFor();
    await own.close();
  });

  it('a lost header is asked for, a wrong one is refused by the server, and the right one lets its tools be read', async () => {
    const { signedIn, api, db, organizationId } = shared();
    const own = await startMcpToolServer();
    own.before = ({ headers }, response) => {
      const isRefused = headers.authorization !== 'Bearer right-key';
      if (isRefused) response.writeHead(401).end();
      return isRefused;
    };
    const header = { name: 'Authorization', value: 'Bearer lost-key' };
    const body = { name: 'own', url: own.url, auth: 'header', header };
    assert.equal((await api.call('POST', '/tools/mcp', { body })).status, 201);
    await db
      .knex('mcp_servers')
      .where({ organization_id: organizationId })
      .update({ status: 'needs_header', header_value: null });
    const visitor = await signedIn();
    visitor.expectRefusals();
    const { page } = visitor;
    const dialog = page.getByRole('dialog');
    const enter = async (value: string) => {
      await chooseAction(page.getByRole('region', { name: 'own', exact: true }), 'Edit');
      await dialog.getByLabel('Value of the header', { exact: true }).fill(value);
      await dialog.getByRole('button', { name: 'Save server' }).click();
    };
    await visitor.open('/admin/tools?tab=mcp');
    const lost = page.getByText(/The stored header can no longer be decrypted/);
    await lost.waitFor();
    await visitor.look('mcp-header-lost');
    await enter('');
    await dialog.getByText('Enter the value of the header.').waitFor();
    await dialog.getByLabel('Header', { exact: true }).fill('');
    await dialog.getByRole('button', { name: 'Save server' }).click();
    await dialog.getByText('Enter the name of the header.').waitFor();
    await page.keyboard.press('Escape');
    await enter('Bearer wrong-key');
    await lost.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Choose tools' }).click();
    await dialog.getByRole('alert').getByText(/401/).waitFor();
    await visitor.look('mcp-header-refused');
    await page.keyboard.press('Escape');
    await enter('Bearer right-key');
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Choose tools' }).click();
    await dialog.getByRole('checkbox', { name: 'refund' }).waitFor();
    const answers = await visitor.allAnswers();
    assert.ok(answers.every(({ text }) => !/(?:lost|wrong|right)-key/.test(text)));
    await own.close();
  });

  it('a tool that changes between reading and saving is refused beside it, and keeps no choice when it is read again', async () => {
    const { signedIn, api } = shared();
    const own = await startMcpToolServer();
    own.tools.push(
      ...Array.from({ length: 8 }, (_, index) => ({
        name: `count_${index}`,
        description: `Counts shelf ${index}.`,
        inputSchema: { type: 'object' as const },
      })),
    );
    assert.equal(
      (await api.call('POST', '/tools/mcp', { body: { name: 'own', url: own.url, auth: 'none' } })).status,
      201,
    );
    const visitor = await signedIn();
    visitor.expectRefusals();
    const { page } = visitor;
    const dialog = page.getByRole('dialog');
    const box = (name: string) => dialog.getByRole('checkbox', { name });
    await visitor.open('/admin/tools?tab=mcp');
    await page.getByRole('button', { name: 'Choose tools' }).click();
    await box('find-order').check();
    await box('count_4').check();
    await dialog.getByLabel('Find a tool').fill('SHELF 7');
    await dialog.getByLabel('Find a tool').press('Enter');
    await box('count_7').check();
    await until('the other tools to be hidden', async () => (await box('count_4').count()) === 0);
    own.tools = own.tools.map((tool) => ({
      ...tool,
      ...(tool.name === 'count_4' && { description: 'Empties shelf 4.' }),
    }));
    await dialog.getByRole('button', { name: 'Save 3 tools' }).click();
    await dialog.getByText('is not of what the server has now: read its tools again').waitFor();
    await until('the focus on the tool', async () => (await focused(page)).includes('count_4'));
    await visitor.look('mcp-changed-meanwhile');
    await dialog.getByRole('button', { name: 'Read again' }).click();
    await dialog.getByText('Empties shelf 4.').waitFor();
    assert.deepEqual(
      await Promise.all(['find-order', 'count_4', 'count_7'].map((name) => box(name).isChecked())),
      [true, false, true],
    );
    await until('the focus to be back', async () => (await focused(page)).endsWith('Read again'));
    await box('count_4').check();
    await dialog.getByRole('button', { name: 'Save 3 tools' }).click();
    await page
      .getByRole('row', { name: /count_4/ })
      .getByText('Empties shelf 4.')
      .waitFor();
    await own.close();
  });

  it('a member who may only view tools sees servers and their tools, and no button that changes them', async () => {
    const { signedIn, api, person } = shared();
    const own = await startMcpToolServer();
    const made = await api.call('POST', '/tools/mcp', { body: { name: 'own', url: own.url, auth: 'none' } });
    const { id } = made.body as McpServer;
    const { tools } = (await api.call('POST', `/tools/mcp/${id}/read`)).body as McpOffer;
    const chosen = tools.map(({ remote_name, definition }) => ({
      ...{ remote_name, digest: definition?.digest, effect: 'write' },
    }));
    const put = await api.call('PUT', `/tools/mcp/${id}/tools`, { body: { tools: chosen } });
    assert.equal(put.status, 200, JSON.stringify(put.body));
    const visitor = await signedIn({ as: await person([]) });
    const { page } = visitor;
    await visitor.open('/admin/tools?tab=mcp');
    const refund = page.getByRole('row', { name: /refund/ });
    await refund.getByText('refund', { exact: true }).waitFor();
    assert.match((await refund.getByTitle('mcp_own_refund').textContent()) ?? '', / mcp_own_refund$/);
    await visitor.look('mcp-servers-viewed');
    const buttons = page.getByRole('main').getByRole('button');
    assert.deepEqual(await buttons.allTextContents(), []);
    await own.close();
  });

  it('a server that does not answer shows an error in the dialog, and nothing is chosen', async () => {
    const { signedIn, api } = shared();
    const gone = await startMcpToolServer();
    const body = { name: 'gone', url: gone.url, auth: 'none' };
    assert.equal((await api.call('POST', '/tools/mcp', { body })).status, 201);
    await gone.close();
    const visitor = await signedIn();
    visitor.expectRefusals();
    const { page } = visitor;
    await visitor.open('/admin/tools');
    await page.getByRole('tab', { name: 'MCP servers' }).click();
    await page.getByRole('button', { name: 'Choose tools' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('alert').waitFor();
    await visitor.look('mcp-server-gone');
    assert.equal(await dialog.getByRole('button', { name: /^Save/ }).count(), 0);
  });
});
