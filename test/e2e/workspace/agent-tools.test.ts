/** The document actions in an agent's run: who may call them, what the model reads, and what is stored. */
import assert from 'node:assert/strict';
import type { ApiClient } from '../../support/api-client.ts';
import { connect, newDocsCaller, useDocsStack } from '../../support/docs-stack.ts';
import type { ChatRequest, ModelBehaviour } from '../../support/model-server.ts';

const scripted = 'scripted/default';
const toolMessages = ({ messages }: ChatRequest) =>
  messages
    .filter(({ role }) => role === 'tool')
    .map(({ content }) => (typeof content === 'string' ? content : (content?.[0]?.text ?? '')));
const objectIn = (text: string) => JSON.parse(text) as { object: string; bot: { workspace_name: string } };

/** A model that makes the calls of `plan`, step by step, for the message of this test alone. */
function modelAgent(api: ApiClient, tools: string[], connections?: string[]) {
  return api.createAgent({ tools, model: 'custom/tested-1', ...(connections && { connections }) });
}

describe('Document tools of an agent', () => {
  const docs = useDocsStack();

  it('runs a tool of the agent and returns its result to the model', async () => {
    const { emulator } = docs();
    const { api } = await newDocsCaller(docs());
    const agent = await api.createAgent({
      model: scripted,
      tools: ['DOCS_CREATE_DOCS_PAGE'],
      script: [
        {
          when: 'create',
          tool: {
            action: 'DOCS_CREATE_DOCS_PAGE',
            input: { title: 'By agent', parent_id: emulator.ids.home },
          },
        },
        { on: 'tool_result', when: '"object":"(page)"', reply: 'Made a $1.' },
      ],
    });
    assert.equal((await api.ask(agent.id, { message: 'create it' })).response, 'Made a page.');
    assert.equal(emulator.count('POST', '/v1/pages'), 1);
  });

  it('422 for an unknown tool; a tool that the agent does not have is refused to the model and not run', async () => {
    const { emulator } = docs();
    const { api } = await newDocsCaller(docs());
    const refused = await api.refused(422, 'POST', '/agents', {
      body: { name: 'x', tools: ['DOCS_NOTHING'] },
    });
    assert.deepEqual(refused.details, [
      { path: 'tools.0', message: 'is no known action, HTTP tool or tool of an MCP server' },
    ]);
    const agent = await api.createAgent({
      model: scripted,
      tools: ['DOCS_FETCH_DATA'],
      script: [
        { tool: { action: 'DOCS_DELETE_BLOCK', input: { block_id: emulator.ids.home } }, when: 'delete' },
      ],
    });
    const { response } = await api.ask(agent.id, { message: 'delete everything' });
    assert.match(response, /^Error: the tool DOCS_DELETE_BLOCK is not among this agent's tools/);
    assert.equal(emulator.count('DELETE', /./), 0);
  });

  it('an error is returned to the model, which can correct its call', async () => {
    const { emulator, model } = docs();
    const { api } = await newDocsCaller(docs());
    const agent = await modelAgent(api, ['DOCS_CREATE_DOCS_PAGE']);
    const message = `mend ${crypto.randomUUID()}`;
    const create = (parent_id: string): ModelBehaviour => ({
      kind: 'stream',
      call: { name: 'DOCS_CREATE_DOCS_PAGE', input: { title: 'Mended', parent_id } },
    });
    model.answerWhere((body) => {
      if (!JSON.stringify(body.messages).includes(message)) return undefined;
      const results = toolMessages(body);
      if (results.length === 0) return create('not an id');
      if (results.length === 1) return create(emulator.ids.home);
      return {
        kind: 'stream',
        text: `${results[0]!.slice(0, 20)} then ${objectIn(results[1]!).object}`,
      };
    });
    const { response } = await api.ask(agent.id, { message });
    assert.equal(response, 'Error: INVALID_INPUT then page');
  });

  it('without a connection the model reads what is missing', async () => {
    const { api } = await docs().stack.stranger();
    const agent = await api.createAgent({
      model: scripted,
      tools: ['DOCS_GET_ABOUT_ME'],
      script: [{ when: 'who', tool: { action: 'DOCS_GET_ABOUT_ME', input: {} } }],
    });
    const { response } = await api.ask(agent.id, { message: 'who' });
    assert.match(
      response,
      /^Error: NOT_AUTHORIZED: No document workspace is connected: connect one in Tools/,
    );
  });

  it('with several workspaces each tool requires the name of one, and runs there', async () => {
    const { emulator, model } = docs();
    const { api } = await docs().stack.stranger();
    const main = await connect(api, emulator.tokens.main);
    const other = await connect(api, emulator.tokens.other);
    const agent = await modelAgent(api, ['DOCS_GET_ABOUT_ME'], [main.id, other.id]);
    const message = `which ${crypto.randomUUID()}`;
    let schema = '';
    model.answerWhere((body) => {
      if (!JSON.stringify(body.messages).includes(message)) return undefined;
      schema = JSON.stringify(body.tools);
      const [result] = toolMessages(body);
      return result === undefined
        ? { kind: 'stream', call: { name: 'DOCS_GET_ABOUT_ME', input: { connection_id: other.id } } }
        : { kind: 'stream', text: objectIn(result).bot.workspace_name };
    });
    assert.equal((await api.ask(agent.id, { message })).response, 'Other workspace');
    assert.ok(schema.includes(`${other.id} is Other workspace`));
  });

  it('a result too large for the context is read in pages, complete and in order, only within its conversation', async () => {
    const { emulator, model } = docs();
    const caller = await newDocsCaller(docs());
    const { api } = caller;
    const page = await caller.ok('DOCS_CREATE_DOCS_PAGE', { title: 'Long', parent_id: emulator.ids.home });
    const long = Array.from({ length: 90 }, (_, index) => ({ content: `${index} ${'🦓'.repeat(400)}` }));
    await caller.ok('DOCS_ADD_MULTIPLE_PAGE_CONTENT', { parent_block_id: page['id'], content_blocks: long });
    const whole = (await caller.run('DOCS_FETCH_BLOCK_CONTENTS', { block_id: page['id'] })).data;
    const agent = await modelAgent(api, ['DOCS_FETCH_BLOCK_CONTENTS']);
    const message = `read ${crypto.randomUUID()}`;
    let text = '';
    let ref = '';
    const heading = /^\[Result ([0-9a-f-]{36}), page (\d+) of (\d+), (\d+) characters in all\..*\]\n/;
    model.answerWhere((body) => {
      if (!JSON.stringify(body.messages).includes(message)) return undefined;
      const results = toolMessages(body);
      const last = results.at(-1);
      if (last === undefined)
        return {
          kind: 'stream',
          call: { name: 'DOCS_FETCH_BLOCK_CONTENTS', input: { block_id: page['id'] } },
        };
      const [, found = '', number, count, characters] = heading.exec(last) ?? [];
      assert.equal(characters, String(whole.length));
      ref = found;
      if (number === count) {
        text = results.map((one) => one.replace(heading, '')).join('');
        return { kind: 'stream', text: 'Read.' };
      }
      const next = { result_ref: ref, page: Number(number) + 1 };
      return { kind: 'stream', call: { name: 'READ_TOOL_RESULT', input: next } };
    });
    assert.equal((await api.ask(agent.id, { message })).response, 'Read.');
    assert.ok(whole.length > 48_000);
    assert.equal(text, whole);

    const nosy = `steal ${crypto.randomUUID()}`;
    model.answerWhere((body) => {
      if (!JSON.stringify(body.messages).includes(nosy)) return undefined;
      const [result] = toolMessages(body);
      return result === undefined
        ? { kind: 'stream', call: { name: 'READ_TOOL_RESULT', input: { result_ref: ref, page: 1 } } }
        : { kind: 'stream', text: result };
    });
    assert.match((await api.ask(agent.id, { message: nosy })).response, /^Error: there is no result/);
  });

  it('tool executions are erased with their conversation', async () => {
    const { stack } = docs();
    const { api } = await newDocsCaller(docs());
    const agent = await api.createAgent({
      model: scripted,
      tools: ['DOCS_GET_ABOUT_ME'],
      script: [{ when: 'who', tool: { action: 'DOCS_GET_ABOUT_ME', input: {} } }],
    });
    const { conversation_id } = await api.ask(agent.id, { message: 'who' });
    const kept = () => stack.db.knex('tool_executions').where({ conversation_id });
    assert.equal((await kept()).length, 1);
    assert.equal((await api.call('DELETE', `/conversations/${conversation_id}`)).status, 204);
    assert.equal((await kept()).length, 0);
  });
});
