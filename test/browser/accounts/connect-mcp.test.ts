/** An MCP client that knows only the endpoint's address, and a person in front of a browser. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { useConsole } from '../../support/browser/console.ts';
import { chooseAction } from '../../support/browser/row-actions.ts';
import { connect, startDocsStack, type DocsStack } from '../../support/docs-stack.ts';
import { RememberingProvider } from '../../support/mcp-oauth-client.ts';
import { until } from '../../support/until.ts';

describe('/connect-mcp', () => {
  let docs: DocsStack | undefined;
  const docsStack = () => {
    assert.ok(docs);
    return docs;
  };
  const shared = useConsole(() => {
    before(async () => {
      docs = await startDocsStack({ PUBLIC_URL: undefined });
    });
    after(async () => {
      await docs?.stack.stop();
      await Promise.all([docs?.emulator.stop(), docs?.model.close()]);
    });
    return () => docsStack().stack;
  });
  /** The client's own server, to which the browser brings the code. */
  const receiver = createServer((_, response) => {
    response.setHeader('content-type', 'text/html').end('<link rel="icon" href="data:,">Back in the program');
  });
  let receiverUrl = '';
  before(async () => {
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    receiverUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  });
  after(() => {
    receiver.closeAllConnections();
    receiver.close();
  });

  it('discovery, registration, sign-in, consent, tools/list, tools/call; and the end of it in the console', async () => {
    const { apiUrl, api, visit, person } = shared();
    await connect(api, docsStack().emulator.tokens.main);
    const provider = new RememberingProvider(`${receiverUrl}/callback`, 'Desk assistant');
    const newTransport = () =>
      new StreamableHTTPClientTransport(new URL(`${apiUrl}/mcp`), { authProvider: provider });
    const transport = newTransport();
    await assert.rejects(new Client({ name: 'c', version: '1' }).connect(transport), UnauthorizedError);
    assert.ok(provider.address);

    const visitor = await visit({ alsoVisits: receiverUrl });
    const { page } = visitor;
    const { email, password } = await person();
    await page.goto(provider.address.href);
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Connect Desk assistant?' }).waitFor();
    await page.getByText(new URL(receiverUrl).host).waitFor();
    await visitor.look('connect-mcp');
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.getByText('Back in the program').waitFor();
    const back = new URL(page.url()).searchParams;
    assert.equal(back.get('state'), 'a state & more');
    await transport.finishAuth(back.get('code') ?? '');

    const client = new Client({ name: 'c', version: '1' });
    await client.connect(newTransport());
    assert.equal((await client.listTools()).tools.length, 45);
    const called = await client.callTool({ name: 'DOCS_GET_ABOUT_ME', arguments: {} });
    assert.equal(called.isError, false, JSON.stringify(called));
    const before = provider.kept?.access_token;
    provider.saveTokens({ ...provider.kept!, access_token: 'mcp_expired' });
    assert.equal((await client.listTools()).tools.length, 45);
    assert.notEqual(provider.kept?.access_token, before, 'refreshed by itself');

    await visitor.open('/settings/api');
    const row = page.getByRole('row').filter({ hasText: 'Desk assistant' });
    await row.getByText(email).waitFor();
    await visitor.look('mcp-grants');
    await chooseAction(row, 'Remove');
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await row.waitFor({ state: 'detached' });
    provider.address = undefined;
    await until('the client to be sent for consent again', async () => {
      await client.listTools().catch(() => undefined);
      return provider.address !== undefined;
    });
    await client.close();
  });

  it('a person who refuses sends the client an error; an incomplete address and a weak role get a sentence', async () => {
    const { apiUrl, signedIn, person } = shared();
    const provider = new RememberingProvider(`${receiverUrl}/callback`, 'Desk assistant');
    const transport = new StreamableHTTPClientTransport(new URL(`${apiUrl}/mcp`), { authProvider: provider });
    await assert.rejects(new Client({ name: 'c', version: '1' }).connect(transport), UnauthorizedError);
    assert.ok(provider.address);
    const visitor = await signedIn({ alsoVisits: receiverUrl });
    await visitor.page.goto(provider.address.href);
    await visitor.page.getByRole('button', { name: 'Refuse' }).click();
    await visitor.page.getByText('Back in the program').waitFor();
    const back = new URL(visitor.page.url()).searchParams;
    assert.deepEqual([back.get('error'), back.get('code')], ['access_denied', null]);

    await visitor.open('/connect-mcp?client_id=x');
    await visitor.page.getByText('Start again in the program that sent you here.').waitFor();
    const weak = await signedIn({ as: await person(['tokens.view']), alsoVisits: receiverUrl });
    await weak.page.goto(provider.address.href);
    await weak.page.getByText('You don’t have access to this page. Ask an administrator.').waitFor();
  });
});
