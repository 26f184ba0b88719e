import assert from 'node:assert/strict';
import { useSharedStack } from '../../support/stack.ts';

const uuidV7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('POST /agents', () => {
  const stack = useSharedStack();

  describe('201', () => {
    it('requires only a name, and fills in the defaults', async () => {
      const { id, inbox_id, created_at, updated_at, ...rest } = await stack().api.createAgent({
        name: 'Plain',
      });
      assert.deepEqual(rest, {
        name: 'Plain',
        description: '',
        instructions: '',
        model: 'scripted/default',
        uses_default_model: true,
        active: true,
        grouping_window_seconds: 0,
        input_during_run: 'next_group',
        follow_ups: [],
        transfers_to: [],
        may_hand_over: false,
        tools: [],
        tool_policies: [],
        approvers: [],
        requires_rehearsal: false,
        version: 1,
      });
      assert.match(id, uuidV7);
      assert.match(inbox_id, uuidV7);
      assert.match(created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      assert.equal(updated_at, created_at);
    });

    it('stores every field unchanged', async () => {
      const other = await stack().api.createAgent();
      const fields = {
        name: 'Full Ünïcode 👋',
        description: 'd',
        instructions: 'line\nline',
        model: 'scripted/default',
        script: [
          { on: 'message', when: '^a(b)', reply: '$1', delay_ms: 5 },
          { fail: { message: 'm', retryable: true, times: 2 } },
        ],
        active: false,
        grouping_window_seconds: 1.5,
        grouping_max_seconds: 7,
        grouping_max_messages: 3,
        model_timeout_seconds: 480,
        temperature: 0,
        max_output_tokens: 500,
        reasoning_effort: 'low',
        output_schema: { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] },
        input_during_run: 'cancel_and_merge',
        follow_ups: [{ after_seconds: 2_592_000, instructions: 'ask again' }],
        transfers_to: [other.id],
        tools: [],
      };
      const made = await stack().api.createAgent(fields);
      assert.deepEqual({ ...made, ...fields }, made);
      assert.deepEqual((await stack().api.call('GET', `/agents/${made.id}`)).body, made);
    });

    it('a deleted agent frees its name, and another organization may use the same name', async () => {
      const { api } = stack();
      const { id } = await api.createAgent({ name: 'Taken once' });
      const { api: theirs } = await stack().stranger();
      await theirs.createAgent({ name: 'Taken once' });
      assert.equal((await api.call('DELETE', `/agents/${id}`)).status, 204);
      await api.createAgent({ name: 'Taken once' });
    });
  });

  it('409 conflict: the name is taken', async () => {
    const { api } = stack();
    await api.createAgent({ name: 'Twin' });
    const body = await api.refused(409, 'POST', '/agents', { body: { name: 'Twin' } });
    assert.deepEqual(body, { error: 'The name is taken.', code: 'conflict' });
  });

  describe('422 names the path', () => {
    for (const [title, fields, path] of [
      ['no name', { name: undefined }, 'name'],
      ['an empty name', { name: '' }, 'name'],
      ['a name over 200 characters', { name: 'x'.repeat(201) }, 'name'],
      ['a NUL character', { instructions: 'a\u0000b' }, 'instructions'],
      ['half of a surrogate pair', { instructions: 'a\ud800b' }, 'instructions'],
      ['a model without a provider', { model: 'gpt' }, 'model'],
      ['a model whose provider is not configured', { model: 'openai/gpt' }, 'model'],
      ['a model of an unknown provider', { model: 'nobody/gpt' }, 'model'],
      ['a window below 0', { grouping_window_seconds: -0.1 }, 'grouping_window_seconds'],
      ['a window over 60 s', { grouping_window_seconds: 60.1 }, 'grouping_window_seconds'],
      ['a time limit below 1 s', { model_timeout_seconds: 0 }, 'model_timeout_seconds'],
      ['a time limit over 480 s', { model_timeout_seconds: 481 }, 'model_timeout_seconds'],
      ['a time limit with a fraction', { model_timeout_seconds: 1.5 }, 'model_timeout_seconds'],
      ['a temperature below 0', { temperature: -0.1 }, 'temperature'],
      ['a temperature over 2', { temperature: 2.1 }, 'temperature'],
      ['an output cap of 0 tokens', { max_output_tokens: 0 }, 'max_output_tokens'],
      ['an output cap over 1,000,000 tokens', { max_output_tokens: 1_000_001 }, 'max_output_tokens'],
      ['an unknown reasoning effort', { reasoning_effort: 'huge' }, 'reasoning_effort'],
      ['an output schema of no object', { output_schema: { type: 'string' } }, 'output_schema.type'],
      [
        'an output schema with a pattern',
        { output_schema: { type: 'object', properties: { a: { type: 'string', pattern: 'x' } } } },
        'output_schema.properties.a.pattern',
      ],
      [
        'an output schema over 16,000 characters',
        { output_schema: { type: 'object', description: 'x'.repeat(16_000) } },
        'output_schema',
      ],
      ['no whole number of messages', { grouping_max_messages: 1.5 }, 'grouping_max_messages'],
      [
        'a follow-up after 0 s',
        { follow_ups: [{ after_seconds: 0, instructions: '' }] },
        'follow_ups.0.after_seconds',
      ],
      [
        'a follow-up after half a second',
        { follow_ups: [{ after_seconds: 0.5, instructions: '' }] },
        'follow_ups.0.after_seconds',
      ],
      [
        'a follow-up after more than 30 days',
        { follow_ups: [{ after_seconds: 2_592_001, instructions: '' }] },
        'follow_ups.0.after_seconds',
      ],
      [
        'an unknown field of a follow-up',
        { follow_ups: [{ after_seconds: 1, instructions: '', at: 1 }] },
        'follow_ups.0.at',
      ],
      [
        'a NUL within the input of a tool',
        { script: [{ tool: { action: 'A', input: { deep: ['\0'] } } }] },
        'script.0.tool.input',
      ],
      ['an expression that does not compile', { script: [{ when: 'a' }, { when: '(' }] }, 'script.1.when'],
      [
        'an expression that takes exponential time elsewhere',
        { script: [{ when: '(a+)+\\1$' }] },
        'script.0.when',
      ],
      ['an unknown trigger', { script: [{ on: 'silence' }] }, 'script.0.on'],
      ['an unknown tool', { tools: ['NO_SUCH_ACTION'] }, 'tools.0'],
      ['a transfer to nobody', { transfers_to: ['01890000-0000-7000-8000-000000000000'] }, 'transfers_to.0'],
      ['a transfer to no identifier', { transfers_to: ['Support'] }, 'transfers_to.0'],
      ['a field of ours', { id: '01890000-0000-7000-8000-000000000000' }, 'id'],
    ] as const) {
      it(title, async () => {
        const body = { name: `Refused ${title}`, ...fields };
        const { code, details = [] } = await stack().api.refused(422, 'POST', '/agents', { body });
        assert.deepEqual([code, details.map((one) => one.path)], ['validation_failed', [path]]);
      });
    }

    it("a transfer to another organization's agent, in the words for one that nobody has", async () => {
      const { api } = await stack().stranger();
      const { id } = await api.createAgent();
      const ask = async (one: string) =>
        await stack().api.refused(422, 'POST', '/agents', { body: { name: 'x', transfers_to: [one] } });
      assert.deepEqual(await ask(id), await ask('01890000-0000-7000-8000-000000000000'));
    });

    it('every invalid field, in one response', async () => {
      const body = { name: 7, active: 'yes', tools: 'none', extra: 1 };
      const { details = [] } = await stack().api.refused(422, 'POST', '/agents', { body });
      assert.deepEqual(details.map(({ path }) => path).sort(), ['active', 'extra', 'name', 'tools']);
    });
  });

  it('a hostile regular expression does not delay other calls', async () => {
    const { api } = stack();
    const { id } = await api.createAgent({ script: [{ when: '^(a|a|aa)+$', reply: 'matched' }] });
    const { response } = await api.ask(id, { message: `${'a'.repeat(30_000)}b` });
    assert.match(response, /^\[scripted model: no rule matched\] a+b$/);
  });
});
