/** 45 of 45 actions, on each way to them: the API, an agent, an MCP client. */
import assert from 'node:assert/strict';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { findAction, toolDefinitions } from '../../../src/workspace/registry.ts';
import { newDocsCaller, useDocsStack } from '../../support/docs-stack.ts';
import { everyAction, rowPlan, type EveryAction } from '../../workspace/actions/support/every-action.ts';

const names = toolDefinitions().map(({ action }) => action);
const retired = new Set(['DOCS_ARCHIVE_DOCS_PAGE', 'DOCS_DELETE_BLOCK', 'DOCS_MOVE_PAGE']);

describe('Every document action', () => {
  const docs = useDocsStack();

  const prepare = async () => {
    const { emulator, model } = docs();
    const caller = await newDocsCaller(docs());
    const world = await everyAction(caller.ok, emulator.ids.home, emulator.ids.person);
    model.answerWhere((body) =>
      JSON.stringify(body.messages).includes('Fill a database row')
        ? { kind: 'stream', text: rowPlan }
        : undefined,
    );
    return { caller, world };
  };

  /** Runs the actions, a few at once: more would be no faster on a machine of two cores. */
  const all = async (world: EveryAction, run: (action: string, input: object) => Promise<string>) => {
    assert.deepEqual(Object.keys(world.inputs).sort(), [...names].sort());
    // Actions that remove the objects of others run last.
    const order = [...names].sort((a, b) => Number(retired.has(a)) - Number(retired.has(b)));
    let done = 0;
    const next = async (): Promise<void> => {
      for (let name = order.shift(); name !== undefined; name = order.shift()) {
        const data = await run(name, world.inputs[name]!);
        const parsed = JSON.parse(data) as Record<string, unknown>;
        assert.ok(Object.keys(parsed).length > 0, name);
        assert.equal('deprecated' in parsed, findAction(name)?.deprecated !== undefined, name);
        done += 1;
      }
    };
    await Promise.all([next(), next(), next(), next()]);
    assert.equal(done, 45);
  };

  it('45 of 45 over the API', async () => {
    const { caller, world } = await prepare();
    await all(world, async (action, input) => {
      const { successful, data, error } = await caller.run(action, input);
      assert.ok(successful, `${action}: ${error ?? ''}`);
      return data;
    });
  });

  it('45 of 45 by a scripted agent', async () => {
    const { caller, world } = await prepare();
    const agent = await caller.api.createAgent({
      model: 'scripted/default',
      tools: names,
      script: names.map((action) => ({
        when: `^${action}$`,
        tool: { action, input: world.inputs[action]! },
      })),
    });
    await all(world, async (message) => {
      const { response } = await caller.api.ask(agent.id, { message });
      assert.ok(!response.startsWith('Error'), `${message}: ${response}`);
      return response;
    });
  });

  it('45 of 45 by an MCP client', async () => {
    const { caller, world } = await prepare();
    const client = new Client({ name: 'a client', version: '1' });
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${docs().stack.apiUrl}/mcp`), {
        requestInit: { headers: { authorization: `Bearer ${caller.token}` } },
      }),
    );
    await all(world, async (name, input) => {
      const result = await client.callTool({ name, arguments: { ...input } });
      const [{ text }] = result.content as [{ text: string }];
      assert.equal(result.isError, false, `${name}: ${text}`);
      return text;
    });
    await client.close();
  });
});
