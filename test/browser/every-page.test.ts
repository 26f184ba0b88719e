import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rehearsal } from '../../src/contract/rehearsals/rehearsals.ts';
import { projectRoot } from '../../src/local/project-root.ts';
import { useConsole } from '../support/browser/console.ts';
import type { Visitor } from '../support/browser/visitor.ts';
import { insertApproval } from '../support/isolation-victims.ts';
import { until } from '../support/until.ts';

/** The paths in src/console/shell/pages.tsx. */
const routes = [
  ...readFileSync(join(projectRoot, 'src/console/shell/pages.tsx'), 'utf8').matchAll(/^  '(\/.*)': lazily/gm),
].map(([, route = '']) => route);
const matches = (route: string, path: string) =>
  new RegExp(`^${route.replace(/\/:\w+\?/, '(/[^/]+)?').replaceAll(/:\w+/g, '[^/]+')}$`).test(path);

const hostile = '<img src=x onerror="document.title=\'broken\'">';

async function openWhole({ page, origin }: Visitor, path: string): Promise<void> {
  await page.goto(`${origin}${path}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
}

describe('Every page of the console', () => {
  const shared = useConsole();

  it('shows what people and programs wrote as text, and a secret in one answer alone', async () => {
    const { signedIn, receiver, db, organizationId, api } = shared();
    await db.knex('organizations').where({ id: organizationId }).update({ name: hostile });
    receiver.behave('/hostile-everywhere', { status: 500, body: hostile });
    const agent = await api.createAgent({
      ...{ name: hostile, description: hostile, instructions: hostile },
      script: [{ reply: hostile }],
    });
    const { conversation_id } = await api.send(agent.id, {
      message: hostile,
      webhook_url: receiver.url('/hostile-everywhere'),
      contact: { id: 'hostile', name: hostile },
    });
    await api.settled(conversation_id);
    await api.call('POST', `/agents/${agent.id}/test-turns`, { body: { conversation_id } });
    const rehearsed = await api.call('POST', `/agents/${agent.id}/rehearsals`, { body: {} });
    const { id: rehearsalId } = rehearsal.parse(rehearsed.body);
    const [delivery] = await until('the callback', async () => {
      const found = await api.deliveries({ conversation_id });
      return found.every(({ status }) => status === 'failed') && found;
    });
    await db.knex('model_providers').insert({
      ...{ id: crypto.randomUUID(), organization_id: organizationId, name: hostile, kind: 'compatible' },
      models: [hostile],
    });
    const { rows } = await db.pool.query<{ id: string }>('select id from runs where conversation_id = $1', [
      conversation_id,
    ]);
    const approval = await insertApproval(db, rows[0]?.id ?? '');
    await db.knex('approvals').where({ id: approval }).update({ note: hostile, arguments: { hostile } });
    const visitor = await signedIn();
    const { page } = visitor;
    const role = { name: hostile, capabilities: ['tokens.view'] };
    await visitor.context.request.post(`${visitor.origin}/console/api/roles`, { data: role });

    await openWhole(visitor, '/settings/api');
    await page.getByRole('button', { name: 'Generate API Token' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Token Name').fill(hostile);
    await page.keyboard.press('Enter');
    const secret = await dialog.getByLabel('Token', { exact: true }).innerText();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await dialog.waitFor({ state: 'detached' });
    // A body that is not read yet is lost with its page.
    await visitor.allAnswers();

    const own = `/agents/${agent.id}`;
    const telling = [
      '/settings/api',
      '/agents',
      own,
      `${own}/playground`,
      `${own}/versions`,
      `${own}/channel`,
      `${own}/rehearsals`,
      `${own}/rehearsals/${rehearsalId}`,
      '/conversations',
    ];
    telling.push('/', `/conversations/${conversation_id}`, '/roles', '/audit', '/account', '/models');
    telling.push('/approvals');
    telling.push(`/deliveries/${delivery?.id}`);
    const visited = [
      ...telling,
      '/deliveries',
      '/members',
      '/admin/tools',
      '/data',
      '/connect-mcp',
      '/webhooks',
      '/developers',
      '/requests',
    ];
    for (const route of routes)
      assert.ok(
        visited.some((path) => matches(route, path)),
        `${route} is not visited`,
      );
    for (const path of visited) {
      await openWhole(visitor, path);
      if (telling.includes(path))
        // A list omits columns while a detail is beside it.
        await page
          .locator('main, [role=dialog]')
          .getByText('onerror')
          .filter({ visible: true })
          .first()
          .waitFor();
      assert.equal(await page.locator('img[src="x"]').count(), 0, path);
      assert.doesNotMatch(await page.title(), /^broken/, path);
    }
    const answers = await visitor.allAnswers();
    assert.ok(answers.length > 60);
    const holding = answers.filter(({ text }) => text.includes(secret));
    assert.deepEqual(
      holding.map(({ method, status, url }) => [method, status, new URL(url).pathname]),
      [['POST', 201, '/console/api/tokens']],
    );
  });

  it('answers a mistyped address with a page that explains it, to browsers alone', async () => {
    const { signedIn, origin } = shared();
    const visitor = await signedIn();
    visitor.expectRefusals();
    const { page } = visitor;
    for (const path of [
      '/settings',
      '/tools',
      '/agent',
      '/console',
      '/admin/tool',
      '/members/7',
      '/v2/chat',
    ]) {
      const answer = await page.goto(`${origin}${path}`);
      assert.equal(answer?.status(), 404, path);
      await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor();
    }
    await page.getByText('/v2/chat', { exact: true }).waitFor();
    await visitor.look('not-found-address');
    await page.locator('main').getByRole('button', { name: 'Search' }).click();
    await page.getByRole('dialog').getByRole('textbox').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Go to the overview' }).click();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    for (const path of ['/deliveries/', '/settings/api/', '/agents/', '/models'])
      assert.equal((await page.goto(`${origin}${path}`))?.status(), 200, path);

    const asBrowser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
    const ask = async (path: string, accept: string, method = 'GET') => {
      const answer = await fetch(`${origin}${path}`, { method, headers: { accept } });
      return [answer.status, answer.headers.get('content-type')?.split(';')[0]];
    };
    for (const path of ['/settings', '/nothing']) {
      assert.deepEqual(await ask(path, '*/*'), [404, 'application/json'], path);
      assert.deepEqual(await ask(path, 'application/json'), [404, 'application/json'], path);
      assert.deepEqual(await ask(path, asBrowser), [404, 'text/html'], path);
      assert.deepEqual(await ask(path, asBrowser, 'POST'), [404, 'application/json'], path);
    }
    for (const path of ['/v1', '/v1/nothing', '/console/api/nothing', '/assets/gone.js'])
      assert.deepEqual(await ask(path, asBrowser), [404, 'application/json'], path);
  });

  it('shows what does not exist, and what a role may not open', async () => {
    const { signedIn, person } = shared();
    const visitor = await signedIn({ as: await person([]) });
    visitor.expectRefusals();
    const { page } = visitor;
    await openWhole(visitor, '/members');
    await page.getByText('You don’t have access to this page').waitFor();
    await visitor.look('not-allowed');
    await openWhole(visitor, '/agents/a/b/c');
    await page.getByText('Page not found').first().waitFor();
    await visitor.look('not-found');
    await openWhole(visitor, `/agents/${crypto.randomUUID()}`);
    await page.getByRole('alert').getByText('This does not exist').waitFor();
    await visitor.look('agent-not-found');
  });
});
