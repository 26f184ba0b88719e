/** An organization of 5,000 agents: every one is on a page of the API and of the console, and answers. */
import assert from 'node:assert/strict';
import { agent as agentSchema } from '../../../src/contract/conversations/agents.ts';
import { pageOf } from '../../../src/contract/page.ts';
import { useConsole } from '../../support/browser/console.ts';

const agents = 5000;
/** Within the time limit of a statement, also on a busy machine. */
const atOnce = 500;

describe(`An organization of ${agents} agents`, () => {
  const shared = useConsole();

  it('has each agent on one page, oldest first, and shows more than the first hundred', async () => {
    const { api, db, organizationId, signedIn } = shared();
    for (let from = 1; from <= agents; from += atOnce)
      await db.pool.query(
        `insert into agents (id, organization_id, name, inbox_id, model, script)
           select uuidv7((n - $2) * interval '1 second'), $1, 'Agent ' || n, gen_random_uuid(), 'scripted/default',
                  '[{"reply": "here"}]' from generate_series($3::int, $3::int + $4::int - 1) n`,
        [organizationId, agents, from, atOnce],
      );
    const names: string[] = [];
    let last = '';
    let cursor = '';
    do {
      const { status, body } = await api.call('GET', `/agents?limit=100${cursor && `&cursor=${cursor}`}`);
      assert.equal(status, 200);
      const page = pageOf(agentSchema).parse(body);
      names.push(...page.data.map(({ name }) => name));
      last = page.data.at(-1)?.id ?? last;
      cursor = page.next_cursor ?? '';
    } while (cursor !== '');
    assert.deepEqual(
      names,
      Array.from({ length: agents }, (_, n) => `Agent ${n + 1}`),
    );
    assert.equal((await api.ask(last, { message: 'there?' })).response, 'here');

    const visitor = await signedIn();
    const { page } = visitor;
    await visitor.open('/agents');
    const row = (name: string) => page.getByRole('link', { name, exact: true });
    await row('Agent 100').waitFor();
    assert.equal(await row('Agent 101').count(), 0);
    await page.getByRole('button', { name: 'Show more' }).click();
    await row('Agent 200').waitFor();
    // Also finds those that are not shown yet, as far as the search reads.
    await page.getByRole('searchbox', { name: 'Search agents' }).fill('agent 1999');
    await row('Agent 1999').waitFor();
    await page.getByText('The search reads the first 2000 agents.').waitFor();
    assert.equal(await page.getByRole('table').getByRole('link').count(), 1);
    await visitor.open(`/agents/${last}`);
    await page.getByRole('heading', { level: 1, name: `Agent ${agents}` }).waitFor();
    for (const path of ['/', '/conversations', '/deliveries']) {
      await visitor.open(path);
      await page.getByRole('heading', { level: 1 }).waitFor();
    }
  });
});
