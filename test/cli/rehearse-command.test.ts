/**
 * `parley rehearse`: its exit codes, what it prints of a rehearsal that does not pass, and what it refuses to start.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rehearsal } from '../../src/contract/rehearsals/rehearsals.ts';
import { commandEnds } from '../support/run-command.ts';
import { useSharedStack } from '../support/stack.ts';
import { unknownId } from '../support/unknown-id.ts';

describe('The command that rehearses', () => {
  const stack = useSharedStack();
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parley-checks-'));
  });
  after(async () => {
    await rm(folder, { recursive: true });
  });

  const rehearse = async (token: string | undefined, ...args: string[]) =>
    await commandEnds(['rehearse', '--url', stack().apiUrl.replace(/\/v1$/, '/'), ...args], {
      ...(token !== undefined && { PARLEY_TOKEN: token }),
    });
  const script = (hello: object) => [
    { when: 'hello', ...hello },
    { when: 'bye', reply: 'Goodbye.' },
  ];

  /** An agent with two recorded turns. */
  async function recorded() {
    const { api } = await stack().stranger();
    const agent = await api.createAgent({ model: 'scripted/default', script: script({ reply: 'Hello.' }) });
    for (const message of ['hello', 'bye']) await api.ask(agent.id, { message });
    const draft = async (hello: object) => {
      const answer = await api.call('PUT', `/agents/${agent.id}/draft`, { body: { script: script(hello) } });
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
    };
    return { api, agent, draft };
  }

  it('ends with 0 and prints the report if every turn passes, with each option that chooses turns', async () => {
    const { api, agent, draft } = await recorded();
    const same = await rehearse(api.token, agent.id);
    assert.deepEqual([same.code, same.stderr], [0, '']);
    const report = rehearsal.strict().parse(JSON.parse(same.stdout));
    assert.deepEqual([report.status, report.version, report.outcomes.same], ['completed', 1, 2]);

    await draft({ reply: 'Hi.' });
    const other = await rehearse(api.token, agent.id, '--draft', '--turns', '2', '--run-read-only-tools');
    assert.equal(other.code, 0, other.stderr);
    const drafted = rehearsal.parse(JSON.parse(other.stdout));
    assert.deepEqual([drafted.version, drafted.outcomes.other_text], ['draft', 1]);
    assert.ok(drafted.run_read_only_tools);

    const { conversation_id } = await api.ask(agent.id, { message: 'hello' });
    await api.call('POST', `/agents/${agent.id}/test-turns`, { body: { conversation_id } });
    const args = ['--test-set', '--version', '1', '--model', 'scripted/default'];
    const tested = await rehearse(api.token, agent.id, ...args);
    assert.equal(tested.code, 0, tested.stderr);
    const { source, version, model, turns } = rehearsal.parse(JSON.parse(tested.stdout));
    assert.deepEqual([source, version, model, turns], ['test_set', 1, 'scripted/default', 1]);
  });

  it('ends with 1 if a turn does not pass, and says which and why', async () => {
    const { api, agent, draft } = await recorded();
    await draft({ fail: { message: 'No such luck.', retryable: false } });
    const failed = await rehearse(api.token, agent.id, '--draft');
    assert.equal(failed.code, 1);
    assert.equal(rehearsal.parse(JSON.parse(failed.stdout)).passed, false);
    const [counts, turn, ...more] = failed.stderr.trim().split('\n');
    assert.equal(counts, '1 of 2 turns does not pass: 1 same, 1 failed.');
    assert.match(turn ?? '', /^turn 0 of conversation [-0-9a-f]{36}: failed; .*No such luck\./);
    assert.deepEqual(more, []);

    const file = join(folder, 'checks.yaml');
    await writeFile(file, 'rules:\n  - kind: does_not_contain\n    text: goodbye\naccepts: [same]\n');
    const ruled = await rehearse(api.token, agent.id, '--checks', file);
    assert.equal(ruled.code, 1);
    assert.match(ruled.stderr, /^1 of 2 turns does not pass: 2 same\.\nturn 1 of .*: same; breaks rule 0\n$/);
  });

  it('ends with 1 and prints nothing if the token, an option or the agent is refused', async () => {
    const { api, agent } = await recorded();
    const refuses = async (says: RegExp, token: string | undefined, ...args: string[]) => {
      const { code, stdout, stderr } = await rehearse(token, ...args);
      assert.deepEqual([code, stdout], [1, ''], args.join(' '));
      assert.match(stderr, says);
    };
    await refuses(/^Set PARLEY_TOKEN to an API token\.\n$/, undefined, agent.id);
    await refuses(/token/i, 'pk_wrong', agent.id);
    await refuses(/--draft or --version, not both/, api.token, agent.id, '--draft', '--version', '1');
    await refuses(/^.*\nversion /, api.token, agent.id, '--version', 'x');
    await refuses(/\nversion is not a kept version/, api.token, agent.id, '--version', '7');
    await refuses(/\nmax_turns /, api.token, agent.id, '--turns', '0');
    await refuses(/\nmodel /, api.token, agent.id, '--model', 'nobody/nothing');
    await refuses(/no draft/, api.token, agent.id, '--draft');
    await refuses(/test set of the agent has no turns/, api.token, agent.id, '--test-set');
    await refuses(/unknown option '--tests'/, api.token, agent.id, '--tests');
    await refuses(/missing required argument 'agent'/, api.token);
    await refuses(/not found|No such/i, api.token, unknownId);
    const file = join(folder, 'wrong.yaml');
    await writeFile(file, 'rules:\n  - kind: max_chars\n    max: 0\n');
    await refuses(/wrong\.yaml: rules\.0\.max /, api.token, agent.id, '--checks', file);
    await refuses(/ENOENT/, api.token, agent.id, '--checks', join(folder, 'none.yaml'));
    const listed = await api.call('GET', `/agents/${agent.id}/rehearsals`);
    assert.deepEqual(listed.body, { data: [], next_cursor: null });
  });
});
