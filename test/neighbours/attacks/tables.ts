/** Tables that anybody can make rows in. */
import { until } from '../../support/until.ts';
import { makeTokenSecret } from '../../../src/adapters/token-secret.ts';
import type { Attack } from '../attack.ts';

const cleanUps = 'src/adapters/db/clean-ups.ts';
/** As many as a flood of some minutes leaves. */
const oldRows = 4000;

export const tables: readonly Attack[] = [
  {
    name: 'growing-tables',
    what: 'a stranger registers MCP clients, tries tokens that do not exist and signs in as nobody, 60 calls a second; A sends keys',
    seed: async ({ db, a, b }) => {
      for (const table of ['sign_in_attempts', 'rate_limits'])
        await db.pool.query(
          `insert into ${table} (key, points, expire) select 'old ' || n, 1, 1 from generate_series(1, $1::integer) n`,
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
      const acts = [
        (number: number) =>
          attacker.call('POST', '/oauth/register', { url: origin, token: null, body: body(number) }),
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
      await attacker.repeat(60, 30, (number) => acts[number % acts.length]!(number));
    },
    check: async ({ db }) => {
      const count = async (from: string) => {
        const { rows } = await db.pool.query<{ n: number }>(`select count(*)::integer as n from ${from}`);
        return rows[0]?.n ?? 0;
      };
      const bounds: [from: string, most: number][] = [
        ['mcp_clients', 100],
        // Of tokens, people and organizations that exist, and of one address.
        ['rate_limits', 20],
        ["sign_in_attempts where key like 'old %'", 0],
        ["idempotency_keys where key <> 'first'", 0],
      ];
      // The next clean-ups are awaited.
      const over = async () => {
        const found: string[] = [];
        for (const [from, most] of bounds) {
          const rows = await count(from);
          if (rows > most) found.push(`${rows} rows of ${from}, over ${most}`);
        }
        return found;
      };
      await until('the tables to be cleaned', async () => (await over()).length === 0, 12_000).catch(
        () => undefined,
      );
      return await over();
    },
    plant: {
      edits: [
        ['src/api/mcp-oauth.ts', 'const hourlyRegistrations = 100;', 'const hourlyRegistrations = 1e9;'],
        [
          'src/api/admit.ts',
          'const caller = await authentication',
          "await rates.token?.take(request.headers.authorization ?? '', 1);\n  const caller = await authentication",
        ],
        [cleanUps, "['sign_in_attempts', `t.expire < ${epochMs}`],", ''],
      ],
    },
  },
];
