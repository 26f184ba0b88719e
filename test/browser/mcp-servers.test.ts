/** The MCP servers of the page Tools: added with a header, their tools chosen, tried, used and accepted again. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { McpServer } from '../../src/contract/mcp-servers/mcp-servers.ts';
import { useConsole } from '../support/browser/console.ts';
import { startMcpToolServer, type McpToolServer } from '../support/mcp-tool-server.ts';
import { useStack } from '../support/stack.ts';

describe('MCP servers in the console', function () {
  this.timeout(120_000);
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
    const row = server.getByRole('row', { name: /mcp_shop_find_order/ });
    await row.getByText('No agent · not called today').waitFor();
    assert.deepEqual(await servers(), [[['find-order', 'read', 'ready', 'Finds an order by its number.']]]);
    assert.equal(shop.requests.at(-1)?.headers.authorization, 'Bearer key-of-the-shop');

    await row.getByRole('button', { name: 'Try' }).click();
    await dialog.getByLabel('id', { exact: true }).fill('17');
    await dialog.getByRole('button', { name: 'Send request' }).click();
    await dialog.getByText('order 17 is shipped').waitFor();
    await page.keyboard.press('Escape');
    await row.getByText('No agent · once today').waitFor();
    await visitor.look('mcp-servers');

    const agent = await api.createAgent({ name: 'Support' });
    await visitor.open(`/agents/${agent.id}`);
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
    const now = dialog.getByRole('region', { name: 'Now: find-order' });
    await now.getByText('Finds an order, and forgets it.').waitFor();
    await visitor.look('mcp-tool-changed');
    await dialog.getByRole('button', { name: 'Save 1 tool' }).click();
    await row.getByText('Changed', { exact: true }).waitFor();
    assert.deepEqual(await servers(), [[['find-order', 'read', 'changed', 'Finds an order by its number.']]]);
    await chooseTools.click();
    await dialog.getByRole('checkbox', { name: 'Accept the change of find-order' }).check();
    await dialog.getByRole('button', { name: 'Save 1 tool' }).click();
    await row.getByText('Finds an order, and forgets it.').waitFor();
    assert.deepEqual(await servers(), [[['find-order', 'read', 'ready', 'Finds an order, and forgets it.']]]);

    await server.getByRole('button', { name: 'Remove', exact: true }).click();
    await dialog.getByRole('button', { name: 'Remove server' }).click();
    await dialog.getByText(/Support/).waitFor();
    await visitor.look('mcp-server-in-use');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    assert.equal((await api.call('PATCH', `/agents/${agent.id}`, { body: { tools: [] } })).status, 200);
    await server.getByRole('button', { name: 'Remove', exact: true }).click();
    await dialog.getByRole('button', { name: 'Remove server' }).click();
    await page.getByText('No MCP servers yet').waitFor();
  });

  it('a server that does not answer says so in the dialog, and nothing is chosen', async () => {
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
