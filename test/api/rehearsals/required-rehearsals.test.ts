/** Agents that require a rehearsal: what is published, what is refused, over the API, the draft and the agents file. */
import assert from 'node:assert/strict';
import { rehearsal } from '../../../src/contract/rehearsals/rehearsals.ts';
import { signIn } from '../../support/console-person.ts';
import { useSharedStack } from '../../support/stack.ts';
import { until } from '../../support/until.ts';

const sentence = /requires a passed rehearsal of exactly what is published/;

describe('An agent that requires a rehearsal', () => {
  const stack = useSharedStack();

  async function guarded() {
    const own = { ...stack(), ...(await stack().stranger()) };
    const { api } = own;
    const other = await api.createAgent();
    const script = [{ when: 'hello', reply: 'Hello.' }, { reply: 'Goodbye.' }];
    const agent = await api.createAgent({
      ...{ script, requires_rehearsal: true, instructions: 'Be polite.' },
      // Stored in lower case, whatever its case in a draft.
      transfers_to: [other.id],
    });
    for (const message of ['hello', 'bye']) await api.ask(agent.id, { message });
    const path = `/agents/${agent.id}`;
    const draft = async (body: object) => {
      const answer = await api.call('PUT', `${path}/draft`, { body });
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
    };
    const rehearse = async (body: object) => {
      const begun = rehearsal.parse((await api.call('POST', `${path}/rehearsals`, { body })).body);
      return await until('the rehearsal to end', async () => {
        const now = rehearsal.parse((await api.call('GET', `${path}/rehearsals/${begun.id}`)).body);
        return now.status !== 'running' && now;
      });
    };
    const publish = async (body: object = {}) => await api.call('POST', `${path}/versions`, { body });
    const refuses = async (attempt: Promise<{ status: number; body: unknown }>) => {
      const { status, body } = await attempt;
      const { code, error } = body as { code: string; error: string };
      assert.deepEqual([status, code], [409, 'invalid_state'], JSON.stringify(body));
      assert.match(error, sentence);
    };
    const version = async () => ((await api.call('GET', path)).body as { version: number }).version;
    return { ...own, agent, other, script, path, draft, rehearse, publish, refuses, version };
  }

  it('publishes a draft after a passed rehearsal of exactly it, whatever the share, and no other draft', async () => {
    const { script, other, draft, rehearse, publish, refuses, version } = await guarded();
    const changed = [{ when: 'hello', reply: 'Hi.' }, ...script.slice(1)];
    await draft({ script: changed, transfers_to: [other.id.toUpperCase()] });
    await refuses(publish());
    await refuses(publish({ percent: 10 }));
    const strict = await rehearse({ version: 'draft', accepts: ['same'] });
    assert.equal(strict.passed, false);
    await refuses(publish());
    assert.ok((await rehearse({ version: 1 })).passed);
    await refuses(publish());
    assert.ok((await rehearse({ version: 'draft' })).passed);

    // Changed after its rehearsal, and changed back.
    await draft({ script: [{ when: 'hello', reply: 'Hi!' }, ...script.slice(1)] });
    await refuses(publish());
    assert.equal(await version(), 1);
    await draft({ script: changed });
    const shared = await publish({ percent: 10 });
    assert.equal(shared.status, 200, JSON.stringify(shared.body));
    await draft({ script: changed });
    const published = await publish();
    assert.equal(published.status, 200, JSON.stringify(published.body));
    assert.equal(await version(), 3);
  });

  it('counts a rehearsal with another model only for that model', async () => {
    const { draft, rehearse, publish, refuses } = await guarded();
    await draft({ instructions: 'Be brief.' });
    assert.ok((await rehearse({ version: 'draft', model: 'scripted/default' })).passed);
    await refuses(publish());
    await draft({ instructions: 'Be brief.', model: 'scripted/default' });
    await refuses(publish());
    assert.ok((await rehearse({ version: 'draft', model: 'scripted/default' })).passed);
    assert.equal((await publish()).status, 200);
  });

  it('refuses a direct change and a file that change answers, and permits others, rollbacks and the end of the rule', async () => {
    const own = await guarded();
    const { api, agent, path, draft, rehearse, publish, refuses, version } = own;
    const { call } = await signIn(own);
    await refuses(api.call('PATCH', path, { body: { instructions: 'Be rude.' } }));
    await refuses(api.call('PATCH', path, { body: { instructions: 'Be rude.', requires_rehearsal: false } }));
    const fileOf = (fields: string) => ({ yaml: `agents:\n  - name: ${agent.name}\n    ${fields}\n` });
    await refuses(call('PUT', '/agents-file', fileOf('instructions: Be rude.')));
    assert.equal((await call('PUT', '/agents-file', fileOf('description: Greets.'))).status, 200);
    assert.equal((await api.changeAgent(agent.id, { description: 'Says goodbye.' })).version, 1);

    // A version that was rehearsed as a draft may also come from a file.
    await draft({ instructions: 'Be brief.' });
    assert.ok((await rehearse({ version: 'draft' })).passed);
    assert.equal((await call('PUT', '/agents-file', fileOf('instructions: Be brief.'))).status, 200);
    assert.equal(await version(), 2);
    const rolledBack = await api.call('POST', `${path}/rollback`, { body: { version: 1 } });
    assert.equal(rolledBack.status, 200, JSON.stringify(rolledBack.body));

    const { yaml } = (await call('GET', '/agents-file')).body as { yaml: string };
    assert.match(yaml, /requires_rehearsal: true/);
    assert.equal((await call('PUT', '/agents-file', fileOf('requires_rehearsal: false'))).status, 200);
    await api.changeAgent(agent.id, { requires_rehearsal: true });
    await api.changeAgent(agent.id, { requires_rehearsal: false });
    assert.equal((await api.changeAgent(agent.id, { instructions: 'Be rude.' })).version, 4);
    await draft({ instructions: 'Be ruder.' });
    assert.equal((await publish()).status, 200);
    const targets = await own.db
      .knex('audit_log')
      .where({ organization_id: own.organizationId })
      .whereIn('action', ['agent_changed', 'agents_imported'])
      .orderBy('id')
      .pluck('target');
    const notes = ['requires a rehearsal', 'no longer requires a rehearsal'];
    for (const note of notes)
      assert.ok(targets.includes(`${agent.name} (${agent.id}, ${note})`), `${note}: ${targets.join('\n')}`);
    assert.equal(targets.filter((target) => target === `${agent.name} (${agent.id}, ${notes[1]})`).length, 2);
  });
});
