import assert from 'node:assert/strict';
import { v7 as newId } from 'uuid';
import { createAgent } from '../../src/adapters/postgres/conversations/agents.ts';
import { unpinModels } from '../../src/adapters/postgres/conversations/unpin-models.ts';
import { useSharedStack } from '../support/stack.ts';

const now = 'custom/of-today';

describe('Models that nobody chose', () => {
  const stack = useSharedStack();

  it('are given back to the default, once; those that somebody chose stay', async () => {
    const { db, stranger } = stack();
    const { organizationId } = await stranger();
    const script = [{ reply: 'a' }];
    const note = async (action: string, target: string, actor: string) => {
      await db
        .knex('audit_log')
        .insert({ id: newId(), organization_id: organizationId, actor, action, target });
    };
    const person = 'somebody@example.com';
    const token = 'API token Shop (pk_abc…)';
    const cases: [
      name: string,
      model: string,
      script: object[] | null,
      notes: [string, string][],
      stays: boolean,
    ][] = [
      ['scripted without a script', 'scripted/default', null, [], false],
      ['scripted with an empty one', 'scripted/default', [], [], false],
      ['scripted with a script', 'scripted/default', script, [['agent_changed', person]], true],
      [
        'saved in the console',
        now,
        null,
        [
          ['agent_created', person],
          ['agent_changed', person],
        ],
        false,
      ],
      [
        'made by the API, saved in the console',
        now,
        null,
        [
          ['agent_created', token],
          ['agent_changed', person],
        ],
        true,
      ],
      [
        'changed by the API',
        now,
        null,
        [
          ['agent_changed', person],
          ['agent_changed', token],
        ],
        true,
      ],
      ['never changed', now, null, [['agent_created', person]], true],
      ['of another model', 'custom/other', null, [['agent_changed', person]], true],
      ['of a file', now, null, [['agent_changed', person]], true],
    ];
    for (const [name, model, rules, notes] of cases) {
      await createAgent(db, organizationId, { name, model, script: rules });
      for (const [action, actor] of notes) await note(action, name, actor);
    }
    await note('agents_imported', 'Front desk, of a file', person);
    const models = async () =>
      new Map(
        (await db.knex('agents').where({ organization_id: organizationId }).select('name', 'model')).map(
          (row: { name: string; model: string | null }) => [row.name, row.model],
        ),
      );

    // The stack's API has done it at its start, for the agents of then.
    await db.knex('installation').where({ name: 'models_unpinned' }).delete();
    await Promise.all([unpinModels(db, now), unpinModels(db, now)]);
    const after = await models();
    for (const [name, model, , , stays] of cases) assert.equal(after.get(name), stays ? model : null, name);

    await db.knex('agents').where({ organization_id: organizationId }).update({ model: now });
    await unpinModels(db, now);
    assert.deepEqual(new Set((await models()).values()), new Set([now]));
  });
});
