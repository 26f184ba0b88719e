/** Signing in at an MCP server from the page Tools, at the page of its authorization server, and back. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { useConsole } from '../../support/browser/console.ts';
import { focused, opened, press, tabTo, type } from '../../support/browser/keyboard.ts';
import { startMcpOAuthServer, typedClient, type McpOAuthServer } from '../../support/mcp-oauth-server.ts';
import { addServer, readTools, statusOf } from '../../support/mcp-sign-in.ts';
import { chooseAction } from '../../support/browser/row-actions.ts';
import { useStack } from '../../support/stack.ts';
import { until } from '../../support/until.ts';

describe('Signing in at an MCP server in the console', () => {
  let oauth: McpOAuthServer;
  const shared = useConsole(() =>
    useStack({
      env: { ENCRYPTION_KEY: randomBytes(32).toString('base64'), TOOL_ALLOW: '127.0.0.1' },
    }),
  );
  beforeEach(async () => {
    oauth = await startMcpOAuthServer();
  });
  afterEach(async () => {
    await oauth.close();
  });

  it('a person is asked to sign in, sees where, allows access there, and is asked again once the access is lost', async () => {
    const { signedIn, api, db } = shared();
    const server = await addServer(api, oauth.shop.url, { auth: 'none' });
    const visitor = await signedIn({ alsoVisits: oauth.issuer });
    visitor.expectRefusals();
    const { page } = visitor;
    const dialog = page.getByRole('dialog');
    const shown = page.getByRole('region', { name: 'shop', exact: true });
    const host = new URL(oauth.issuer).host;
    await visitor.open('/admin/tools?tab=mcp');
    await shown.getByRole('button', { name: 'Choose tools' }).click();
    await dialog
      .getByRole('alert')
      .getByText(/asks you to sign in/)
      .waitFor();
    await page.keyboard.press('Escape');
    const goThere = async () => {
      await chooseAction(shown, 'Sign in at the server');
      await dialog.getByRole('button', { name: 'Find sign-in page' }).click();
      await dialog.getByText(`You sign in at ${host}. Continue only if you know this address.`).waitFor();
    };
    await chooseAction(shown, 'Sign in at the server');
    await dialog.getByText(/registers itself there/).waitFor();
    await visitor.look('mcp-sign-in');
    await page.keyboard.press('Escape');
    oauth.denies = true;
    await goThere();
    await visitor.look('mcp-sign-in-found');
    await dialog.getByRole('link', { name: `Continue to ${host}` }).click();
    await page.getByRole('status').getByText('Not signed in: access was denied at the server.').waitFor();
    await visitor.look('mcp-sign-in-denied');
    oauth.denies = false;
    await goThere();
    await dialog.getByRole('link', { name: `Continue to ${host}` }).click();
    await page.getByRole('status').getByText('Signed in at the MCP server').waitFor();
    await shown.getByText(`Signed in at ${oauth.issuer}`).waitFor();
    await visitor.look('mcp-signed-in');
    await shown.getByRole('button', { name: 'Choose tools' }).click();
    await dialog.getByRole('checkbox', { name: 'refund' }).waitFor();
    await page.keyboard.press('Escape');
    await chooseAction(shown, 'Edit');
    await dialog.getByText(/Parley signs in at this server with OAuth/).waitFor();
    await page.keyboard.press('Escape');

    await db.knex('mcp_sign_ins').where({ server_id: server.id }).update({ access_expires_at: new Date() });
    oauth.forgetRefresh();
    assert.equal((await readTools(api, server)).status, 422);
    await visitor.open('/admin/tools?tab=mcp');
    await shown
      .getByRole('alert')
      .getByText(/no longer accepts the access/)
      .waitFor();
    await visitor.look('mcp-sign-in-lost');
    const answers = await visitor.allAnswers();
    for (const secret of oauth.secrets)
      assert.ok(
        answers.every(({ url, text }) => !url.startsWith(visitor.origin) || !text.includes(secret)),
        'no secret is in an answer',
      );
  });

  it('a client that a person registered is typed by keyboard alone, after the server registers none itself', async () => {
    await oauth.close();
    oauth = await startMcpOAuthServer({ registers: false });
    const { signedIn, api } = shared();
    const server = await addServer(api, oauth.shop.url);
    const visitor = await signedIn({ alsoVisits: oauth.issuer });
    visitor.expectRefusals();
    const { page } = visitor;
    const dialog = page.getByRole('dialog');
    const callback = `${visitor.origin}/v1/tools/mcp/${server.id}/callback`;
    oauth.allowTyped(callback);
    const tool = { name: 'find_order', description: 'Finds an order.', effect: 'read', method: 'GET' };
    await api.call('POST', '/tools/http', { body: { ...tool, url: 'https://shop.example.com/orders' } });
    await visitor.open('/admin/tools?tab=connected');
    const first = page.getByRole('table', { name: 'Connections' }).getByRole('row').nth(1);
    await first.getByText('Needs a sign-in').waitFor();
    await first.getByRole('button', { name: 'Sign in at shop' }).click();
    await dialog.getByRole('button', { name: 'Find sign-in page' }).waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await first.getByRole('button', { name: 'Remove', exact: true }).waitFor();
    await first.getByRole('link', { name: 'shop', exact: true }).click();
    await page.getByRole('tab', { name: 'MCP servers', selected: true }).waitFor();
    await page.getByRole('tab', { name: 'Available' }).click();
    const kind = page.getByRole('article', { name: 'MCP servers' });
    await kind.getByRole('link', { name: '1 server, 1 needs a sign-in' }).click();
    await page.getByRole('region', { name: 'shop', exact: true }).waitFor();
    await page.getByRole('tab', { name: 'Available' }).click();
    await visitor.look('tools-needs-sign-in');
    await kind.getByRole('button', { name: 'Sign in at shop' }).click();
    await dialog.getByRole('button', { name: 'Find sign-in page' }).waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    const other = await addServer(api, oauth.shop.url, { name: 'other' });
    await page.reload();
    await kind.getByText('2 servers, 2 need a sign-in').waitFor();
    await kind.getByRole('link', { name: 'Sign in' }).click();
    await page.getByRole('region', { name: 'other', exact: true }).waitFor();
    await api.call('DELETE', `/tools/mcp/${other.id}`);
    await page.reload();
    for (const name of ['Add HTTP tool', 'Add MCP server']) {
      await page.getByRole('tab', { name: 'Available' }).click();
      await page.getByRole('link', { name }).click();
      await page.getByRole('dialog', { name }).waitFor();
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      assert.ok(!page.url().includes('open='), page.url());
    }
    const alert = page
      .getByRole('alert')
      .filter({ hasText: 'Agents cannot use this server until you sign in' });
    await alert.getByRole('button', { name: 'Sign in at the server' }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Choose tools' }).count(), 0);
    await visitor.look('mcp-needs-sign-in');
    await press(page, 'Sign in at the server');
    await opened(page);
    await press(page, 'Find sign-in page');
    await dialog.getByText(/registers no clients itself/).waitFor();
    await until('the focus on the field', async () => (await focused(page)).includes('Client ID'));
    await dialog.getByText(callback, { exact: true }).waitFor();
    await visitor.look('mcp-sign-in-by-hand');
    await page.keyboard.type(typedClient.client_id);
    await type(page, 'Client secret', typedClient.client_secret);
    await press(page, 'Find sign-in page');
    await dialog.getByText('This field is required').waitFor();
    await until('the focus on the field', async () => (await focused(page)).includes('Authorization server'));
    await page.keyboard.type('https://auth.example.com');
    await page.keyboard.press('Enter');
    await dialog.getByText(/is not the one that the server names/).waitFor();
    await visitor.look('mcp-sign-in-other-issuer');
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type(oauth.issuer);
    await page.keyboard.press('Enter');
    await dialog.getByText(/You sign in at/).waitFor();
    await tabTo(page, `Continue to ${new URL(oauth.issuer).host}`);
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('Signed in at the MCP server').waitFor();
    assert.equal(await statusOf(api, server), 'connected');
    const region = page.getByRole('region', { name: 'shop', exact: true });
    await chooseAction(region, 'Sign in at the server');
    assert.equal(await dialog.getByLabel('Client ID').inputValue(), typedClient.client_id);
    assert.equal(await dialog.getByLabel('Authorization server').inputValue(), oauth.issuer);
    assert.equal(await dialog.getByLabel('Client secret', { exact: true }).inputValue(), '');
  });
});
