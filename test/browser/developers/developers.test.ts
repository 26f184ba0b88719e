/** The pages for developers: the first call in three languages. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createToken } from '../../../src/adapters/postgres/accounts/tokens.ts';
import { useConsole } from '../../support/browser/console.ts';

const run = promisify(execFile);

describe('The pages for developers', () => {
  const shared = useConsole();

  it('each program of the quick start gets the answer of the agent that is chosen', async () => {
    const { signedIn, api, db, organizationId } = shared();
    await api.createAgent({ name: 'Another', script: [{ reply: 'wrong' }] });
    const agent = await api.createAgent({ name: 'Support', script: [{ reply: 'It works.' }] });
    const { token } = await createToken(db, { organizationId, name: 'quick start' });
    const visitor = await signedIn();
    const { page } = visitor;
    await visitor.open(`/agents/${agent.id}`);
    await page.getByRole('link', { name: 'Call it over the API' }).click();
    await page.getByRole('heading', { level: 1, name: 'Quick start' }).waitFor();
    await page.getByText('No call yet.').waitFor();
    await visitor.look('quick-start');
    const folder = await mkdtemp(join(tmpdir(), 'quick-start-'));
    try {
      for (const [tab, file, ...command] of [
        ['curl', 'ask.sh', 'sh'],
        ['TypeScript', 'ask.mts', process.execPath],
        ['Python', 'ask.py', 'python3'],
      ] as const) {
        await page.getByRole('tab', { name: tab }).click();
        const code = await page.getByRole('region', { name: `Code in ${tab}` }).innerText();
        assert.ok(code.includes(`${visitor.origin}/v1/chat/${agent.id}`), code);
        await writeFile(join(folder, file), code);
        const [program = ''] = command;
        const { stdout } = await run(program, [join(folder, file)], {
          env: { ...process.env, PARLEY_TOKEN: token },
        });
        assert.match(stdout, /It works\./, tab);
        assert.ok(!code.includes('pk_'));
      }
    } finally {
      await rm(folder, { recursive: true });
    }
    await page.getByText(/^Last call .* ago · quick start$/).waitFor();
    await page.getByText('200 OK').waitFor();
    await visitor.look('quick-start-python');
    const agents = page.getByRole('combobox', { name: 'Agent' });
    await agents.click();
    await page.getByRole('option', { name: 'Another' }).click();
    await page.getByText('No call yet.').waitFor();
    await agents.click();
    await page.getByRole('option', { name: 'Support' }).click();
    await Promise.all([
      page.getByText('Copied').first().waitFor(),
      page.getByRole('button', { name: 'Copy code' }).click(),
    ]);
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    assert.match(copied, /^import json\n/);
    await page.getByRole('link', { name: 'Open in the request log' }).click();
    await page.getByRole('region', { name: /^Request: POST \/v1\/chat/ }).waitFor();
  });
});
