/** The agents of an organization as one file: what it names, and files that are applied at the same time. */
import assert from 'node:assert/strict';
import { parse } from 'yaml';
import { maxExportedFile } from '../../../src/adapters/postgres/conversations/agents-file.ts';
import { inTransaction } from '../../../src/adapters/postgres/database.ts';
import type { AgentVersion } from '../../../src/contract/conversations/agent-versions.ts';
import type { AgentsFileResult } from '../../../src/contract/conversations/agents-file.ts';
import type { Agent } from '../../../src/contract/conversations/agents.ts';
import type { ApiAnswer } from '../../support/api-client.ts';
import { signIn } from '../../support/console-person.ts';
import { useSharedStack } from '../../support/stack.ts';
import { until } from '../../support/until.ts';

describe('The agents file', () => {
  // Each file starts a thread, one at a time: beside other tests 18 of them have taken more than a minute.
  const stack = useSharedStack();

  async function organization() {
    const own = { ...stack(), ...(await stack().stranger()) };
    const { call } = await signIn(own);
    const exported = async () => ((await call('GET', '/agents-file')).body as { yaml: string }).yaml;
    const agents = async () => ((await call('GET', '/agents')).body as { data: Agent[] }).data;
    return { ...own, call, exported, agents };
  }
  const tool = {
    ...{ name: 'find_order', description: 'Finds an order.', method: 'GET', effect: 'read' },
    ...{ url: 'https://shop.example/orders/{id}' },
    parameters: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
  };

  it('names HTTP tools beside actions, and gives another organization the same agents once it has the tools', async () => {
    const from = await organization();
    assert.equal((await from.call('POST', '/tools/http', tool)).status, 201);
    const tools = ['find_order', 'DOCS_LIST_USERS'];
    const made = await from.call('POST', '/agents', { name: 'Support', tools });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    const yaml = await from.exported();
    assert.match(yaml, /tools:\n\s+- find_order\n\s+- DOCS_LIST_USERS/);
    assert.equal((await from.call('PUT', '/agents-file', { yaml })).status, 200);
    assert.equal(await from.exported(), yaml);

    const to = await organization();
    const early = await to.call('PUT', '/agents-file', { yaml });
    assert.equal(early.status, 422);
    assert.match(
      JSON.stringify(early.body),
      /"path":"tools.0","message":"is no known action, HTTP tool or tool of an MCP server"/,
    );
    assert.deepEqual(await to.agents(), []);
    assert.equal((await to.call('POST', '/tools/http', tool)).status, 201);
    assert.equal((await to.call('PUT', '/agents-file', { yaml })).status, 200);
    assert.equal(await to.exported(), yaml);
    assert.deepEqual((await to.agents())[0]?.tools, tools);
  });

  it('names no transfer to a deleted agent, so that the file can be imported again', async () => {
    const { call, exported, api } = await organization();
    const gone = await api.createAgent({ name: 'Gone' });
    const stays = await api.createAgent({ name: 'Stays' });
    await api.createAgent({ name: 'Front', transfers_to: [gone.id, stays.id] });
    assert.equal((await call('DELETE', `/agents/${gone.id}`)).status, 204);
    const yaml = await exported();
    assert.match(yaml, /transfers_to:\n\s+- Stays\n/);
    assert.doesNotMatch(yaml, /Gone/);
    const imported = await call('PUT', '/agents-file', { yaml });
    assert.equal(imported.status, 200, JSON.stringify(imported.body));
  });

  it('carries tool policies to another organization, in a version with them as a change, and refuses an invalid condition', async () => {
    const from = await organization();
    const tool_policies = [
      { tool: 'DOCS_LIST_USERS', policy: 'ask', unless: 'limit <= 50', expires_after_seconds: 600 },
      { tool: 'DOCS_FETCH_DATA', policy: 'ask', on_expiry: 'approve' },
      { tool: 'DOCS_GET_ABOUT_ME', policy: 'never' },
    ];
    const tools = tool_policies.map(({ tool: name }) => name);
    const approvers = [{ name: 'Ana', phone: '+5511999999999' }];
    const parameters = { temperature: 0.4, max_output_tokens: 500, reasoning_effort: 'low' };
    const settings = { name: 'Support', tools, tool_policies, approvers, ...parameters };
    const made = await from.call('POST', '/agents', settings);
    assert.equal(made.status, 201, JSON.stringify(made.body));
    const yaml = await from.exported();
    assert.match(yaml, /unless: limit <= 50/);

    const to = await organization();
    assert.equal((await to.call('PUT', '/agents-file', { yaml })).status, 200);
    assert.equal(await to.exported(), yaml);
    const [agent = assert.fail()] = await to.agents();
    assert.deepEqual(agent.tool_policies, tool_policies);
    assert.deepEqual(agent.approvers, approvers);
    assert.deepEqual({ ...agent, ...parameters }, agent);

    const looser = yaml.replace('limit <= 50', 'limit <= 500');
    assert.equal((await to.call('PUT', '/agents-file', { yaml: looser })).status, 200);
    const { body } = await to.call('GET', `/agents/${agent.id}/versions/2`);
    const { changes } = body as { changes: { field: string; before: unknown; after: unknown }[] };
    assert.deepEqual(
      changes.map(({ field, before }) => [field, before]),
      [['tool_policies', tool_policies]],
    );
    assert.match(JSON.stringify(changes[0]?.after), /limit <= 500/);

    const refused = await to.call('PUT', '/agents-file', { yaml: yaml.replace('limit <= 50', 'limit <=') });
    assert.equal(refused.status, 422);
    assert.match(JSON.stringify(refused.body), /tool_policies.0.unless/);
    assert.equal(await to.exported(), looser.replace('version: 1', 'version: 2'));
  });

  it('leaves drafts as they are: one of a changed agent must be saved again before it is published', async () => {
    const { call } = await organization();
    const made: Agent[] = [];
    for (const name of ['Front', 'Desk'])
      made.push((await call('POST', '/agents', { name, instructions: 'one' })).body as Agent);
    const drafts = async () =>
      await Promise.all(made.map(async ({ id }) => (await call('GET', `/agents/${id}/draft`)).body));
    for (const { id } of made) await call('PUT', `/agents/${id}/draft`, { instructions: 'draft' });
    const before = await drafts();
    const yaml = 'agents:\n  - name: Front\n    instructions: two\n  - name: Desk\n    instructions: one\n';
    assert.equal((await call('PUT', '/agents-file', { yaml })).status, 200);
    assert.deepEqual(await drafts(), before);
    const [front, desk] = made.map(({ id }) => `/agents/${id}`);
    assert.equal((await call('POST', `${front}/versions`, {})).status, 409);
    assert.equal((await call('PUT', `${front}/draft`, { instructions: 'draft' })).status, 200);
    for (const path of [front, desk]) {
      const published = await call('POST', `${path}/versions`, {});
      assert.equal(published.status, 200, JSON.stringify(published.body));
    }
  });

  it('publishes one version of each agent whose content it changes, with its note, and none of the others', async () => {
    const { call, exported, agents } = await organization();
    const apply = async (yaml: string) => {
      const { status, body } = await call('PUT', '/agents-file', { yaml });
      assert.equal(status, 200, JSON.stringify(body));
      return (body as AgentsFileResult).versions;
    };
    const yaml = `agents:
  - name: Front
    instructions: one
    transfers_to: [Desk]
  - name: Desk
    instructions: desk
    transfers_to: [Front]
`;
    assert.deepEqual(await apply(yaml), [
      { name: 'Front', version: 1 },
      { name: 'Desk', version: 1 },
    ]);
    assert.deepEqual(await apply(yaml), []);
    assert.deepEqual(await apply(await exported()), []);
    const changed = `note: As agreed.\n${yaml.replace('instructions: one', 'instructions: two')}`;
    assert.deepEqual(await apply(changed), [{ name: 'Front', version: 2 }]);
    assert.match(await exported(), /name: Front\n {4}version: 2\n/);
    const front = (await agents()).find(({ name }) => name === 'Front');
    const listed = await call('GET', `/agents/${front?.id}/versions`);
    const { data } = listed.body as { data: AgentVersion[] };
    assert.deepEqual(
      data.map(({ version, note }) => [version, note]),
      [
        [2, 'As agreed.'],
        [1, null],
      ],
    );
    assert.match(data[0]?.author ?? '', /@/);
    const { body } = await call('GET', '/audit?action=agents_imported');
    assert.equal((body as { data: { target: string }[] }).data[0]?.target, 'Front (version 2), Desk');
  });

  it('is created once and updated afterwards when several files name the same new agent at once', async () => {
    const { call, agents } = await organization();
    for (const round of [1, 2, 3]) {
      const yaml = `agents:\n  - name: New ${round}\n  - name: Other ${round}\n`;
      const answers = await Promise.all(
        Array.from({ length: 6 }, () => call('PUT', '/agents-file', { yaml })),
      );
      assert.deepEqual(
        answers.map(({ status }) => status),
        Array.from({ length: 6 }, () => 200),
        JSON.stringify(answers.map(({ body }) => body)),
      );
      const results = answers.map(({ body }) => body as AgentsFileResult);
      assert.equal(results.filter(({ created }) => created.length === 2).length, 1);
      assert.equal(results.filter(({ updated }) => updated.length === 2).length, 5);
      assert.equal((await agents()).length, 2 * round);
    }
  });

  it('does not change an agent that another call creates while it is checked', async () => {
    const { call, db, agents, ...own } = await organization();
    const { call: weakCall } = await signIn({ ...own, db }, ['agents.manage']);
    const { body } = await call('POST', '/agents', { name: 'Held' });
    const yaml = 'agents:\n  - name: New\n    tools: []\n  - name: Held\n    description: changed\n';
    let applied: Promise<ApiAnswer> | undefined;
    await inTransaction(db, async (tx) => {
      // Idle until a thread has read the file, which takes long on a busy machine.
      await tx.knex.raw('set local idle_in_transaction_session_timeout = 0');
      await tx
        .knex('agents')
        .where({ id: (body as Agent).id })
        .update({ description: 'held' });
      applied = weakCall('PUT', '/agents-file', { yaml });
      await until('the file to wait for the agent', async () => {
        const { rows } = await db.pool.query(
          `select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%"agents"%'
             and datname = current_database()`,
        );
        return rows.length > 0;
      });
      const made = await call('POST', '/agents', { name: 'New', tools: ['DOCS_LIST_USERS'] });
      assert.equal(made.status, 201);
    });
    const answer = await applied;
    assert.ok(answer);
    assert.equal(answer.status, 409, JSON.stringify(answer.body));
    assert.match(JSON.stringify(answer.body), /created the agent \\"New\\" at the same time/);
    assert.deepEqual(
      (await agents()).map(({ name, description, tools }) => [name, description, tools]),
      [
        ['Held', 'held', []],
        ['New', '', ['DOCS_LIST_USERS']],
      ],
    );
  });

  it('with a hostile number of keys, aliases, agents or faults is refused in bounded time, and delays no other call', async () => {
    const { call, agents } = await organization();
    const refused = async (yaml: string, expected: RegExp) => {
      const state = { ended: false };
      const answer = call('PUT', '/agents-file', { yaml }).finally(() => {
        state.ended = true;
      });
      // Processor time of this thread, on which the API answers: what other processes do does not count.
      let longestMs = 0;
      while (!state.ended) {
        const begun = process.threadCpuUsage();
        assert.equal((await stack().api.call('GET', '/agents')).status, 200);
        const { user, system } = process.threadCpuUsage(begun);
        longestMs = Math.max(longestMs, (user + system) / 1000);
      }
      const { status, body } = await answer;
      assert.equal(status, 422, JSON.stringify(body).slice(0, 500));
      assert.match(JSON.stringify(body), expected);
      assert.ok(JSON.stringify(body).length < 3000);
      assert.ok(longestMs < 1000, `the API's thread was busy for ${longestMs} ms during another call`);
    };
    const keys = Array.from({ length: 150_000 }, (_, n) => `k${n.toString(36)}`).join(',');
    await refused(`{${keys}}`, /Unrecognized keys|too complex/);
    await refused(
      'agents:\n  - name: A\n    instructions: a\n    instructions: b\n',
      /given twice: instructions/,
    );
    const anchors = Array.from({ length: 30_000 }, (_, n) => `- &a${n} x\n`).join('');
    const aliases = Array.from({ length: 30_000 }, (_, n) => `- *a${n}\n`).join('');
    await refused(`${anchors}${aliases}`, /too complex|agents|expected/);
    const many = Array.from({ length: 1001 }, (_, n) => `  - name: a${n}\n`).join('');
    await refused(`agents:\n${many}`, /agents: at most 1000 in one file/);
    await refused(`agents:\n${'  - name: 1\n'.repeat(900)}`, /and 880 more/);
    const long = `  - { name: first, instructions: &long ${'a'.repeat(90_000)} }\n`;
    const longs = Array.from({ length: 90 }, (_, n) => `  - { name: b${n}, instructions: *long }\n`);
    await refused(`agents:\n${long}${longs.join('')}`, /aliases make the file too large/);
    assert.deepEqual(await agents(), []);
  });

  it('has agents of any length one after another, and is refused over HTTP beyond its greatest length', async () => {
    const { call, exported } = await organization();
    assert.equal(await exported(), 'agents: []\n');
    const instructions = 'a'.repeat(95_000);
    const create = async (name: string) => {
      assert.equal((await call('POST', '/agents', { name, instructions })).status, 201);
    };
    await create('0');
    await create('1');
    assert.equal((parse(await exported()) as { agents: unknown[] }).agents.length, 2);
    for (let n = 2; n * instructions.length <= maxExportedFile; n++) await create(String(n));
    const { status, body } = await call('GET', '/agents-file');
    assert.equal(status, 409, JSON.stringify(body).slice(0, 500));
    assert.match(JSON.stringify(body), /parley export/);
  });
});
