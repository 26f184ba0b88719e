/** The small model through the whole product, from sign-in to its answer. Fetches it on the first run. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { chromium, type Browser } from 'playwright-core';
import { knownServers } from '../../../src/adapters/models/found-servers.ts';
import { ApiClient } from '../../support/api-client.ts';
import { findChromium } from '../../support/browser/chromium.ts';
import { Visitor } from '../../support/browser/visitor.ts';
import {
  endCopies,
  idOf,
  killPart,
  preparedFolder,
  startCopy,
  type LocalCopy,
} from '../../support/local-copy.ts';
import { startModelServer, type ModelServer } from '../../support/model-server.ts';
import { until } from '../../support/until.ts';

/** Puts a model server at the first of the usual ports that is free. */
async function atUsualPort(model: ModelServer) {
  const server = createServer((request, response) => {
    if (request.url === '/v1/models') {
      response.end(JSON.stringify({ object: 'list', data: [{ id: 'found-1' }, { id: 'not a name' }] }));
      return;
    }
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
      const answer = await fetch(new URL(request.url ?? '', model.baseUrl), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: Buffer.concat(chunks),
      });
      response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
      response.end(Buffer.from(await answer.arrayBuffer()));
    })();
  });
  for (const known of knownServers) {
    server.listen(known.port, '127.0.0.1');
    const isFree = await Promise.race([
      once(server, 'listening').then(() => true),
      once(server, 'error').then(() => false),
    ]).catch(() => false);
    if (isFree) return { known, close: () => server.close() };
  }
  throw new Error('all of the usual ports are taken');
}

describe('the small model of npm start', () => {
  let browser: Browser;
  before(async () => {
    browser = await chromium.launch({
      executablePath: findChromium(),
      args: ['--no-sandbox', '--disable-dev-shm-usage'],
    });
  });
  afterEach(endCopies);
  after(() => browser.close());

  const start = async (...args: string[]): Promise<LocalCopy> =>
    startCopy(await preparedFolder(), { MODEL_ALLOW: '' }, ['npm', 'start', '--silent', '--', ...args]);
  const visit = async (origin: string) =>
    await Visitor.arrive(browser, origin, { screenshots: process.env['SCREENSHOTS'] });

  it('a click runs it, and the agent answers with it, within twelve clicks from sign-in; a server that is found is added', async () => {
    const copy = await start();
    const running = await copy.ready();
    assert.match(copy.output(), /npm start -- --local-model/);
    assert.equal(running.processes.model, null);
    const model = await startModelServer();
    const found = await atUsualPort(model);
    const visitor = await visit(running.origin);
    const { page } = visitor;
    let clicks = 0;
    const click = async (role: 'link' | 'button', name: string) => {
      await page.getByRole(role, { name, exact: true }).first().click();
      clicks += 1;
    };
    // The console asks who is signed in, and gets the answer that nobody is.
    visitor.expectRefusals();
    await visitor.open('/');
    await page.getByLabel('Email').fill(running.console.email);
    await page.getByLabel('Password', { exact: true }).fill(running.console.password);
    await click('button', 'Sign in');
    await click('link', 'Models');
    const panel = page.getByRole('region', { name: 'A model on this computer' });
    await panel.getByText('SmolLM2 135M Instruct, licence Apache-2.0, 98 MB').waitFor();
    await panel.getByText(/licence MIT, 85 MB, from npm/).waitFor();
    const server = page.getByText(`${found.known.program}: found-1`);
    await until('the server to be found', async () => {
      const isFound = await server.isVisible();
      // A busy machine may not answer within the time of one search.
      if (!isFound) await page.getByRole('button', { name: 'Search again' }).click();
      return isFound;
    });
    await visitor.look('local-model-offer');
    await click('button', 'Run a small model on this computer');
    await panel.getByText(/^Ready: local\/.* runs on this computer\.$/).waitFor({ timeout: 400_000 });
    const local = page.getByRole('article', { name: 'local', exact: true });
    await local.getByText('Set by the installation').waitFor();
    assert.equal(await local.getByRole('button', { name: 'Test' }).count(), 0);
    await visitor.look('local-model-ready');
    await click('link', 'Agents');
    await click('link', 'Echo');
    await click('link', 'Playground');
    await page.getByLabel('Message', { exact: true }).fill('Hello! Who are you?');
    await click('button', 'Send');
    const api = new ApiClient(running.base_url, running.token);
    const answered = await until('the answer', async () => {
      const list = await visitor.context.request.get(`${running.origin}/console/api/conversations?only=test`);
      const { data } = (await list.json()) as { data: { id: string }[] };
      const messages = data[0] === undefined ? [] : await api.messages(data[0].id);
      return messages.find(({ role }) => role === 'agent');
    });
    await page
      .getByText(answered.text.trim().split('\n')[0] ?? '')
      .first()
      .waitFor();
    assert.notEqual(answered.text.trim(), '');
    await visitor.look('local-model-answer');
    assert.ok(clicks <= 12, `${clicks} clicks`);

    await visitor.open('/models');
    await click('button', `Use ${found.known.program}`);
    const dialog = page.getByRole('dialog');
    assert.equal(await dialog.getByLabel('Base URL').inputValue(), `http://127.0.0.1:${found.known.port}/v1`);
    await dialog.getByRole('button', { name: 'Test and save' }).click();
    await dialog.getByText('It works').waitFor();
    await dialog.getByRole('button', { name: 'Done' }).click();
    const usual = page.getByRole('combobox', { name: 'Default model' });
    await until('the new default', async () => (await usual.inputValue()) === `${found.known.name}/found-1`);
    await visitor.open('/audit');
    await page.getByRole('cell', { name: 'Started the model on this computer' }).waitFor();
    await visitor.leave();
    found.close();
    await model.close();
  });

  it('--local-model runs it as a process that comes back after kill -9, answers messages, costs nothing, and ends with npm start', async () => {
    const copy = await start('--local-model');
    const running = await copy.ready();
    assert.match(copy.output(), /^Model +local\/[\w.-]+, small, runs on this computer$/m);
    const api = new ApiClient(running.base_url, running.token);
    const agent = await api.createAgent({ instructions: 'Answer in one short sentence.' });
    const webhook_url = /"webhook_url":"([^"]+)"/.exec(copy.output())?.[1];
    const answerOf = async (message: string) => {
      const { conversation_id } = await api.send(agent.id, { message, webhook_url });
      await until(`the callback of ${message}`, () =>
        copy
          .output()
          .split('callback received: ')
          .some((part) => part.includes(conversation_id) && part.includes('"credits_used": 0')),
      );
      const messages = await api.messages(conversation_id);
      return messages.find(({ role }) => role === 'agent')?.text ?? '';
    };
    assert.notEqual((await answerOf('Hello!')).trim(), '');
    const pid = await idOf(copy, 'model', await killPart(copy, 'model'));
    assert.notEqual((await answerOf('Are you still there?')).trim(), '');
    copy.child.kill('SIGTERM');
    assert.equal((await copy.exited).code, 0);
    assert.throws(() => process.kill(pid, 0), /ESRCH/);
  });
});
