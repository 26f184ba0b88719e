/** Lists: of many rows, of large rows. */
import { signIn } from '../../support/console-person.ts';
import type { Attack } from '../attack.ts';

export const lists: readonly Attack[] = [
  {
    name: 'polled-lists',
    what: 'A polls the lists of its 40,000 conversations in the API and in the console, 60 a second',
    seed: async (stand) => {
      const { api, organizationId } = stand.a;
      const agent = await api.createAgent({ model: 'scripted/default', script: [{ reply: 'b' }] });
      await api.ask(agent.id, { message: 'a' });
      // A thousand at a time, within the time that a statement has.
      for (let batch = 0; batch < 40; batch++) {
        await stand.db.pool.query(
          `with made as (insert into conversations select (jsonb_populate_record(null::conversations, to_jsonb(c)
              || jsonb_build_object('id', gen_random_uuid(), 'contact_id', 'c' || n))).*
            from (select * from conversations where organization_id = $1 limit 1) c, generate_series($2::integer, $2 + 999) n returning id)
          insert into messages select (jsonb_populate_record(null::messages, to_jsonb(m)
              || jsonb_build_object('id', gen_random_uuid(), 'conversation_id', made.id))).*
            from made, (select * from messages where origin = 'user' limit 1) m`,
          [organizationId, batch * 1000],
        );
      }
      await stand.db.pool.query('analyze conversations; analyze messages');
      const { cookies } = await signIn({ ...stand.a, apiUrl: `${stand.origin}/v1`, db: stand.db });
      return { cookies };
    },
    run: async (attacker) => {
      const { origin, given } = attacker.target;
      const inConsole = {
        url: `${origin}/console/api`,
        token: null,
        headers: { cookie: given['cookies'] ?? '' },
      };
      const calls = [
        () => attacker.call('GET', '/conversations?limit=100'),
        () => attacker.call('GET', '/deliveries?limit=100'),
        () => attacker.call('GET', '/conversations?limit=100', inConsole),
        () => attacker.call('GET', '/overview', inConsole),
        () => attacker.call('GET', '/conversations?limit=100&contact_id=nobody'),
      ];
      await attacker.repeat(60, 20, (number) => calls[number % calls.length]!());
    },
    plant: {
      sql: `do $$ declare i record; begin
        for i in select indexrelid::regclass as name from pg_index join pg_class c on c.oid = indrelid
          where c.relname in ('conversations', 'messages', 'runs') and not indisunique loop
          execute 'drop index ' || i.name;
        end loop; end $$;
        -- One role with a flag instead of two: a policy that can use no index.
        create function parley_sees_all() returns boolean language sql volatile as $$ select current_user = 'nobody' $$;
        do $$ declare p record; begin
        for p in select polrelid::regclass as name from pg_policy join pg_attribute on attrelid = polrelid
          where polname = 'of_one_organization' and attname = 'organization_id' loop
          execute format('alter policy of_one_organization on %s using (parley_sees_all() or organization_id = (select parley_organization()))', p.name);
        end loop; end $$`,
    },
  },
  {
    name: 'large-pages',
    what: 'A has 100 agents of 800 KB each and asks for all of them in one page, twice a second',
    seed: async (stand) => {
      const { api, organizationId } = stand.a;
      const reply = 'r'.repeat(32_000);
      const script = Array.from({ length: 25 }, (_, number) => ({ when: String(number), reply }));
      await api.createAgent({ model: 'scripted/default', script });
      await stand.db.pool.query(
        `insert into agents select (jsonb_populate_record(null::agents, to_jsonb(a) || jsonb_build_object('id', gen_random_uuid(), 'name', 'copy ' || n,
           'inbox_id', gen_random_uuid()))).* from agents a, generate_series(1, 99) n where a.organization_id = $1`,
        [organizationId],
      );
      return {};
    },
    run: async (attacker) => {
      const { target } = attacker;
      await attacker.repeat(2, 2, async () => {
        const answer = await fetch(`${target.origin}/v1/agents?limit=100`, {
          headers: { authorization: `Bearer ${target.token}` },
        });
        // Thrown away as it comes.
        await answer.body?.pipeTo(new WritableStream());
        attacker.count(answer.status);
      });
    },
    plant: {
      edits: [
        [
          'src/adapters/postgres/cursor.ts',
          'const maxPageBytes = 1024 * 1024;',
          'const maxPageBytes = 1e12;',
        ],
      ],
    },
  },
];
