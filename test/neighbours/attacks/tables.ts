/** Tables that anybody can make rows in. */
import { until } from '../../support/until.ts';
import { makeTokenSecret } from '../../../src/adapters/postgres/accounts/tokens.ts';
import type { Attack } from '../attack.ts';

const cleanUps = 'src/adapters/postgres/data/clean-ups.ts';
/** The rows that a flood of some minutes leaves. */
const oldRows = 4000;

export const tables: readonly Attack[] = [
  {
    name: 'growing-tables',
    what: 'a stranger registers MCP clients, tries tokens that do not exist and signs in as nobody, 80 calls a second; A sends keys',
    seed: async ({ db, a, b }) => {
      await db.pool.query(
        `insert into rate_limits (key, calls, ends_at) select 'old ' || n, 1, 'epoch' from generate_series(1, $1::integer) n`,
        [oldRows],
      );
      const agent = await a.api.createAgent({ model: 'scripted/default', script: [{ reply: 'keyed' }] });
      await a.api.call('POST', `/chat/${agent.id}`, {
        ...{ body: { message: 'a' }, headers: { 'idempotency-key': 'first' } },
      });
      await db.pool.query(
        `insert into idempotency_keys select (jsonb_populate_record(null::idempotency_keys, to_jsonb(k)
             || jsonb_build_object('key', 'old ' || n, 'created_at', now() - interval '2 days'))).*
           from idempotency_keys k, generate_series(1, $1::integer) n`,
        [oldRows],
      );
      return { agent: agent.id, b: b.organizationId };
    },
    run: async (attacker) => {
      const { origin, given } = attacker.target;
      const body = (number: number) => ({
        client_name: `program ${number}`,
        redirect_uris: ['http://127.0.0.1:4000/callback'],
      });
      const register = (number: number) =>
        attacker.call('POST', '/oauth/register', { url: origin, token: null, body: body(number) });
      const acts = [
        () => attacker.call('GET', '/agents', { token: makeTokenSecret().secret }),
        (number: number) =>
          attacker.call('POST', '/sign-in', {
            ...{ url: `${origin}/console/api`, headers: { origin }, token: null },
            body: { email: `${number}@example.com`, password: 'a password of some length' },
          }),
        // Refused: no key is kept for it.
        (number: number) =>
          attacker.call('POST', `/chat/${given['agent']}`, {
            ...{ body: { message: '' }, headers: { 'idempotency-key': `${number}` } },
          }),
      ];
      await attacker.repeat(80, 40, (number) =>
        number % 2 === 0 ? register(number) : acts[((number - 1) / 2) % acts.length]!(number),
      );
    },
    check: async ({ db }) => {
      const count = async (from: string) => {
        const { rows } = await db.pool.query<{ n: number }>(`select count(*)::integer as n from ${from}`);
        return rows[0]?.n ?? 0;
      };
      const over = async (bounds: readonly (readonly [from: string, most: number])[]) => {
        const found: string[] = [];
        for (const [from, most] of bounds) {
          const rows = await count(from);
          if (rows > most) found.push(`${rows} rows of ${from}, over ${most}`);
        }
        return found;
      };
      const grown = await over([
        ['mcp_clients', 100],
        // Rows of tokens, people and organizations that exist, and of one address.
        ["rate_limits where key not like 'old %'", 20],
        // An account each until the address is delayed, and the address.
        ['sign_in_counters', 105],
        ["idempotency_keys where key not like 'old %'", 1],
      ]);
      if (grown.length > 0) return grown;
      const old = ['rate_limits', 'idempotency_keys'].map(
        (table) => [`${table} where key like 'old %'`, 0] as const,
      );
      // They are cleaned once a minute.
      const cleaned = until('the tables to be cleaned', async () => (await over(old)).length === 0, 75_000);
      await cleaned.catch(() => undefined);
      return await over(old);
    },
    plant: {
      edits: [
        [
          'src/api/accounts/mcp-oauth.ts',
          'const registrations = { maxCalls: 100,',
          'const registrations = { maxCalls: 1e9,',
        ],
        [
          'src/api/admit.ts',
          'const owner = await authentication',
          "await rates.token?.take(request.headers.authorization ?? '', 1);\n  const owner = await authentication",
        ],
        [cleanUps, "['rate_limits', `t.ends_at < statement_timestamp()`],", ''],
      ],
    },
  },
];
