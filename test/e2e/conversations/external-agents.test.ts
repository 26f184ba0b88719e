/** Agents that run elsewhere, behind an HTTP endpoint: what they get, what their answers lead to, and hostile ones. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';
import type { Agent } from '../../../src/contract/conversations/agents.ts';
import type { ErrorBody } from '../../../src/contract/errors.ts';
import type { SavedProvider } from '../../../src/contract/models/models.ts';
import { readJson } from '../../support/model-server.ts';
import { signIn } from '../../support/console-person.ts';
import { startStack, type Stack } from '../../support/stack.ts';
import { until } from '../../support/until.ts';

const asked = z.strictObject({
  version: z.literal(1),
  idempotency_key: z.string(),
  conversation_id: z.string(),
  run_id: z.string().nullable(),
  kind: z.enum(['message', 'follow_up']),
  agent: z.strictObject({ id: z.string(), name: z.string(), instructions: z.string() }),
  model: z.string(),
  messages: z.array(z.strictObject({ role: z.string(), text: z.string() })),
  transfers: z.array(z.strictObject({ name: z.string(), description: z.string() })),
  may_hand_over: z.literal(true).optional(),
});
type Asked = z.output<typeof asked>;
type Behaviour = (response: ServerResponse, body: Asked) => void;

const answering = (answer: unknown): Behaviour => {
  return (response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  };
};

describe('Agents that run elsewhere', () => {
  let stack: Stack;
  let server: Server;
  let url: string;
  const calls: { key: string | undefined; authorization: string | undefined; body: Asked }[] = [];
  /** By the last text of the user. Others are answered with an echo. */
  const behaviours = new Map<string, Behaviour>();

  const lastText = ({ messages }: Asked) => messages.findLast(({ role }) => role === 'user')?.text ?? '';
  const callsFor = (text: string) => calls.filter(({ body }) => lastText(body) === text);

  before(async () => {
    server = createServer((request, response) => {
      const { authorization, 'idempotency-key': key } = request.headers;
      const answer = (value: unknown) => {
        const body = asked.parse(value);
        calls.push({ key: typeof key === 'string' ? key : undefined, authorization, body });
        const text = lastText(body);
        (behaviours.get(text) ?? answering({ text: `echo: ${text}` }))(response, body);
      };
      void readJson(request).then(answer, () => response.destroy());
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/parley`;
    stack = await startStack({
      workers: 1,
      env: {
        ENCRYPTION_KEY: randomBytes(32).toString('base64'),
        ...{ MODEL_ALLOW: '127.0.0.1', MODEL_TIMEOUT_SECONDS: '6' },
      },
    });
  });
  after(async () => {
    await stack.stop();
    server.closeAllConnections();
    server.close();
  });

  const provider = (more: object = {}) => ({
    ...{ kind: 'agent', name: 'flows', base_url: url, api_key: 'key-of-flows', models: ['support'] },
    ...more,
  });
  async function newOrganization() {
    const { organizationId, api } = await stack.stranger();
    const admin = await signIn({ ...stack, organizationId });
    const added = await admin.call('POST', '/model-providers', provider());
    assert.equal(added.status, 201, JSON.stringify(added.body));
    return { organizationId, api, admin, saved: added.body as SavedProvider };
  }
  const fresh = (text: string) => `${text} ${crypto.randomUUID()}`;

  it('one is tested when it is added, gets the conversation and its key, and its text is the answer', async () => {
    const { api, saved } = await newOrganization();
    assert.match(saved.test.sample, /^echo: Greet a customer/);
    const agent = await api.createAgent({ model: 'flows/support', instructions: 'Be brief.' });
    const [first, second] = [fresh('first'), fresh('second')];
    const { conversation_id, response } = await api.ask(agent.id, { message: first });
    assert.equal(response, `echo: ${first}`);
    await api.ask(agent.id, { message: second, conversation_id });
    const [call] = callsFor(second);
    assert.ok(call);
    const { idempotency_key, run_id, ...body } = call.body;
    assert.equal(call.key, idempotency_key);
    assert.equal(idempotency_key, `${String(run_id)}.0.1`);
    assert.equal(call.authorization, 'Bearer key-of-flows');
    assert.deepEqual(body, {
      version: 1,
      conversation_id,
      kind: 'message',
      agent: { id: agent.id, name: agent.name, instructions: 'Be brief.' },
      model: 'support',
      messages: [
        { role: 'user', text: first },
        { role: 'assistant', text: `echo: ${first}` },
        { role: 'user', text: second },
      ],
      transfers: [],
    });
  });

  it('one hands over to a person if its agent may, with its last text; otherwise it is asked again', async () => {
    const { api } = await newOrganization();
    const asks = async (may_hand_over: boolean) => {
      const { id } = await api.createAgent({ model: 'flows/support', may_hand_over });
      const text = fresh('a person');
      const refused = ({ messages }: Asked) => messages.at(-1)?.role === 'system';
      behaviours.set(text, (reply, given) => {
        answering(refused(given) ? { text: 'refused' } : { text: 'One moment.', hand_over: 'Angry' })(
          reply,
          given,
        );
      });
      const { response, conversation_id } = await api.ask(id, { message: text });
      const { body } = await api.call('GET', `/conversations/${conversation_id}`);
      return [response, (body as { paused_by?: string }).paused_by, callsFor(text)[0]?.body.may_hand_over];
    };
    assert.deepEqual(await asks(true), ['One moment.', 'agent', true]);
    assert.deepEqual(await asks(false), ['refused', undefined, undefined]);
  });

  it('one transfers to an agent that it may transfer to, and to none of another organization', async () => {
    const [own, other] = [await newOrganization(), await newOrganization()];
    const foreign = await other.api.createAgent({ name: 'Foreign' });
    const expert = await own.api.createAgent({
      ...{ name: 'Expert', model: 'scripted/default', script: [{ when: '.*', reply: 'expert' }] },
    });
    const agent = await own.api.createAgent({ model: 'flows/support', transfers_to: [expert.id] });
    const text = fresh('transfer');
    behaviours.set(text, answering({ transfer_to: 'Expert' }));
    const { response, responding_agent_name } = await own.api.ask(agent.id, { message: text });
    assert.deepEqual([response, responding_agent_name], ['expert', 'Expert']);

    for (const [index, name] of ['Foreign', foreign.id].entries()) {
      const hostile = fresh(`hostile ${index}`);
      behaviours.set(hostile, (reply, body) => {
        const refusal = body.messages.find(({ role }) => role === 'system');
        answering(refusal === undefined ? { transfer_to: name } : { text: refusal.text })(reply, body);
      });
      const answer = await own.api.ask(agent.id, { message: hostile });
      assert.match(answer.response, /^Error: there is no agent ".*" that you may transfer to/);
      assert.deepEqual(
        callsFor(hostile).map(({ body }) => body.idempotency_key.split('.')[1]),
        ['0', '1'],
      );
    }
  });

  it('its usage report costs credits at the price of its model; without a report, it costs nothing', async () => {
    const { api } = await newOrganization();
    const agent = await api.createAgent({ model: 'flows/support' });
    const text = fresh('priced');
    behaviours.set(text, answering({ text: 'x', usage: { input_tokens: 2, output_tokens: 1000 } }));
    const { credits_used } = await api.ask(agent.id, { message: text });
    assert.ok(credits_used > 1 && credits_used <= 1.002, String(credits_used));
    assert.equal((await api.ask(agent.id, { message: fresh('free') })).credits_used, 0);
  });

  const failing: [title: string, behaviour: Behaviour, calls: number, said: RegExp, seconds?: number][] = [
    ['never answers', () => undefined, 3, /did not answer in time/, 2],
    [
      'streams without end',
      (response) => {
        const timer = setInterval(() => response.write(' '), 20);
        response.on('close', () => {
          clearInterval(timer);
        });
      },
      3,
      /broke off its answer/,
      4,
    ],
    [
      'answers with megabytes',
      (response) => response.end(JSON.stringify({ text: 'x'.repeat(1024 * 1024) })),
      1,
      /is over 1048576 bytes/,
    ],
    ['answers 500 each time', (response) => response.writeHead(500).end('no'), 3, /failed \(500\)/],
    [
      'redirects to a private address',
      (response) => response.writeHead(307, { location: 'http://127.0.0.2/' }).end(),
      1,
      /failed \(307\)/,
    ],
    ['resets the connection', (response) => response.destroy(), 3, /the connection was lost/],
    ['answers with a page', (response) => response.end('<html>'), 1, /documented form/],
    ['answers with nothing', answering({ text: ' ' }), 1, /documented form/],
    [
      'reports impossible tokens',
      answering({ text: 'x', usage: { input_tokens: -1, output_tokens: 1e300 } }),
      1,
      /documented form/,
    ],
  ];
  for (const [title, behaviour, count, said, model_timeout_seconds] of failing) {
    it(`one that ${title}: the run fails after ${count} calls with one key, and its error names the reason`, async () => {
      const { api } = await newOrganization();
      const agent = await api.createAgent({ model: 'flows/support', model_timeout_seconds });
      const text = fresh(title);
      behaviours.set(text, behaviour);
      const answer = await api.call('POST', `/chat/${agent.id}`, { body: { message: text, sync: true } });
      assert.ok(answer.status >= 500, JSON.stringify(answer.body));
      assert.match((answer.body as ErrorBody).error, said);
      const made = callsFor(text);
      assert.equal(made.length, count);
      assert.equal(new Set(made.map(({ key }) => key)).size, 1);
    });
  }

  const held = (ms: number): Behaviour => {
    return (response) => {
      setTimeout(() => {
        answering({ text: 'late' })(response, {} as Asked);
      }, ms);
    };
  };

  it("an agent's own time limit holds, whether it is longer or shorter than that of the installation", async () => {
    const { api } = await newOrganization();
    const patient = await api.createAgent({ model: 'flows/support', model_timeout_seconds: 60 });
    const late = fresh('late');
    behaviours.set(late, held(9000));
    assert.equal((await api.ask(patient.id, { message: late })).response, 'late');
    assert.equal(callsFor(late).length, 1);

    const hasty = await api.createAgent({ model: 'flows/support', model_timeout_seconds: 1 });
    const never = fresh('never');
    const waitedMs: number[] = [];
    behaviours.set(never, (response) => {
      const began = performance.now();
      response.on('close', () => waitedMs.push(performance.now() - began));
    });
    const answer = await api.call('POST', `/chat/${hasty.id}`, { body: { message: never, sync: true } });
    assert.equal(answer.status, 502);
    assert.match((answer.body as ErrorBody).error, /did not answer in time/);
    assert.equal(waitedMs.length, 3);
    // The installation's limit is 6 s.
    for (const ms of waitedMs) assert.ok(ms > 900 && ms < 5900, String(waitedMs));

    const changed = await api.call('PATCH', `/agents/${patient.id}`, {
      body: { model_timeout_seconds: null },
    });
    assert.equal((changed.body as Agent).model_timeout_seconds, undefined);
    const lateAgain = fresh('late again');
    behaviours.set(lateAgain, held(9000));
    const refused = await api.call('POST', `/chat/${patient.id}`, {
      body: { message: lateAgain, sync: true },
    });
    assert.equal(refused.status, 502);
  });

  it('the agents file names its model and time limit, and gives them to an organization that has the provider', async () => {
    const [from, to] = [await newOrganization(), await stack.stranger()];
    const yaml = 'agents:\n  - name: Flow\n    model: flows/support\n    model_timeout_seconds: 45\n';
    const applied = await from.admin.call('PUT', '/agents-file', { yaml });
    assert.equal(applied.status, 200, JSON.stringify(applied.body));
    const exported = async (admin: typeof from.admin) =>
      ((await admin.call('GET', '/agents-file')).body as { yaml: string }).yaml;
    const file = await exported(from.admin);
    assert.match(file, /\n {4}model: flows\/support\n/);
    assert.match(file, /\n {4}model_timeout_seconds: 45\n/);
    // The file has neither the address nor the key.
    assert.ok(!file.includes(url) && !file.includes('key-of-flows'));
    const again = await from.admin.call('PUT', '/agents-file', { yaml: file });
    assert.deepEqual((again.body as { versions: unknown[] }).versions, []);
    assert.equal(await exported(from.admin), file);

    const admin = await signIn({ ...stack, organizationId: to.organizationId });
    const early = await admin.call('PUT', '/agents-file', { yaml: file });
    assert.equal(early.status, 422);
    assert.match(JSON.stringify(early.body), /is of a provider that is not set up: add it under Models/);
    assert.equal((await admin.call('POST', '/model-providers', provider())).status, 201);
    assert.equal((await admin.call('PUT', '/agents-file', { yaml: file })).status, 200);
    assert.equal(await exported(admin), file);
    const { data } = (await to.api.call('GET', '/agents')).body as { data: Agent[] };
    const [copy] = data;
    assert.deepEqual([copy?.model, copy?.model_timeout_seconds], ['flows/support', 45]);
    const text = fresh('of the file');
    assert.equal((await to.api.ask(copy?.id ?? '', { message: text })).response, `echo: ${text}`);
  });

  it('one at a private address that the operator does not allow gets no request', async () => {
    const { organizationId } = await stack.stranger();
    const admin = await signIn({ ...stack, organizationId });
    const before = calls.length;
    const base_url = url.replace('127.0.0.1', 'localhost');
    const answer = await admin.call('POST', '/model-providers', provider({ base_url }));
    assert.equal(answer.status, 422, JSON.stringify(answer.body));
    assert.match((answer.body as ErrorBody).details?.[0]?.message ?? '', /is private/);
    assert.equal(calls.length, before);
  });

  it('kill -9 during a call: it is repeated with the same key, and the user gets one answer', async () => {
    const { api } = await newOrganization();
    const agent = await api.createAgent({ model: 'flows/support' });
    const text = fresh('killed');
    behaviours.set(text, (response, body) => {
      if (callsFor(text).length > 1) answering({ text: 'after' })(response, body);
    });
    const { conversation_id } = await api.send(agent.id, { message: text });
    await until('the agent to be asked', () => Promise.resolve(callsFor(text).length > 0 || undefined));
    await stack.worker.kill();
    await stack.worker.start();
    const messages = await api.settled(conversation_id, 1, 120_000);
    assert.deepEqual(
      messages.filter(({ role }) => role !== 'user').map(({ text: said }) => said),
      ['after'],
    );
    assert.equal(new Set(callsFor(text).map(({ key }) => key)).size, 1);
  });
});
