import assert from 'node:assert/strict';
import { freePort } from '../../src/local/ports.ts';
import { ApiClient } from '../support/api-client.ts';
import { startOwnProcess, type OwnProcess } from '../support/own-process.ts';
import { signIn } from '../support/console-person.ts';
import { useStack } from '../support/stack.ts';
import { until } from '../support/until.ts';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { createToken } from '../../src/adapters/postgres/accounts/tokens.ts';

/** Few a second, so that a slow machine cannot make so many calls that more are due. */
const perSecond = 20;
const burst = 2 * perSecond;
const windowMs = 2000;

describe('Rate limits', () => {
  const stack = useStack({ env: { RATE_LIMIT: String(perSecond), ORGANIZATION_RATE_LIMIT: '30' } });
  let second: OwnProcess;
  let secondUrl: string;

  before(async () => {
    const port = await freePort();
    secondUrl = `http://127.0.0.1:${port}/v1`;
    const env = { ...stack().env, PORT: String(port) };
    second = await startOwnProcess('api', env, join(tmpdir(), `parley-second-api-${port}.log`));
  });
  after(async () => {
    await second.kill();
  });

  /**
   * @returns how many of the calls passed, the answers to the refused ones, and in how many windows the calls may have
   * been
   */
  async function hurl(clients: ApiClient[], calls: number) {
    const began = performance.now();
    const answers = await Promise.all(
      Array.from({ length: calls }, async (_, n) => {
        const client = clients[n % clients.length];
        assert.ok(client);
        return await client.call('GET', '/agents?limit=1');
      }),
    );
    return {
      passed: answers.filter(({ status }) => status === 200).length,
      refused: answers.filter(({ status }) => status !== 200),
      // A window begins with a call, and the next one not before its end.
      windows: 1 + Math.floor((performance.now() - began) / windowMs),
    };
  }

  /**
   * Measures again, with an organization that has made no call, until the calls fall into one window: then the limit is
   * exact.
   */
  async function inOneWindow(measure: () => ReturnType<typeof hurl>) {
    return await until('all calls within one window', async () => {
      const measured = await measure();
      return measured.windows === 1 && measured;
    });
  }
  const more = burst + burst / 2;

  const told = (passed: number, refused: { status: number; body: unknown }[]) => {
    const others = refused.filter(({ status }) => status !== 429).map(({ body }) => body);
    return `${passed} passed, ${refused.length} refused, of these otherwise: ${JSON.stringify(others)}`;
  };

  it('allow a burst of two seconds’ calls, and refuse the rest with Retry-After', async () => {
    let { api } = stack();
    const { passed, refused } = await inOneWindow(async () => {
      ({ api } = await stack().stranger());
      return await hurl([api], more);
    });
    assert.equal(passed, burst, told(passed, refused));
    for (const { status, body, headers } of refused) {
      assert.equal(status, 429);
      assert.equal((body as { code: string }).code, 'rate_limited');
      assert.match(headers.get('retry-after') ?? '', /^[12]$/);
    }
    await until('refused calls to be in the log of requests', async () => {
      const { rows } = await stack().db.pool.query<{ status: number; route: string }>(
        `select distinct status, route from api_requests
           where code = 'rate_limited' and token_id = (select id from api_tokens where secret_hash = sha256($1::bytea))`,
        [Buffer.from(api.token)],
      );
      return rows.length === 1 && rows[0]?.status === 429 && rows[0].route === '/v1/agents';
    });
    await new Promise((resolve) =>
      setTimeout(resolve, Number(refused[0]?.headers.get('retry-after')) * 1000),
    );
    assert.equal((await hurl([api], 1)).passed, 1);
  });

  it('are shared by all API processes', async () => {
    const { passed, refused } = await inOneWindow(async () => {
      const { api, token } = await stack().stranger();
      return await hurl([api, new ApiClient(secondUrl, token)], more);
    });
    // Each process may keep a lot of calls that it does not use. Two that counted alone would let all calls pass.
    assert.ok(passed >= burst - 4 && passed <= burst, told(passed, refused));
  });

  it('count each token’s calls separately, and all tokens of an organization together', async () => {
    const { passed, refused } = await inOneWindow(async () => {
      const { api, organizationId } = await stack().stranger();
      const others = await Promise.all(
        [1, 2, 3].map(async (n) => await createToken(stack().db, { organizationId, name: `token ${n}` })),
      );
      const clients = [api, ...others.map(({ token }) => new ApiClient(stack().apiUrl, token))];
      return await hurl(clients, 2 * burst);
    });
    assert.equal(passed, 60, told(passed, refused));
    const { passed: others } = await hurl([(await stack().stranger()).api], 10);
    assert.equal(others, 10);
  });

  it('refuse one token’s calls without using up the rate of its organization', async () => {
    let token = '';
    const { refused } = await inOneWindow(async () => {
      const { api, organizationId } = await stack().stranger();
      ({ token } = await createToken(stack().db, { organizationId, name: 'calm' }));
      return await hurl([api], more);
    });
    // With those that passed, they would be all that the organization may call.
    assert.equal(refused.length, more - burst);
    assert.equal((await hurl([new ApiClient(stack().apiUrl, token)], 5)).passed, 5);
  });

  it('count a large body as several calls, with and without a declared length', async () => {
    for (const told of [true, false]) {
      const body = JSON.stringify({ name: 'large', instructions: 'a'.repeat(14 * 32 * 1024) });
      const send = async (token: string) => {
        const response = await fetch(`${stack().apiUrl}/agents`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          ...(told ? { body } : { body: new Blob([body]).stream(), duplex: 'half' }),
        });
        return response.status;
      };
      const first = await until('all calls within one window', async () => {
        const { token } = await stack().stranger();
        const began = performance.now();
        const statuses: number[] = [];
        for (let count = 0; count < 6; count++) statuses.push(await send(token));
        return performance.now() - began < windowMs && statuses;
      });
      // Two fit. A body without a length counts once it has arrived: then the one that is too many passes, and one more
      // if its process has reserved two calls.
      assert.ok(first.filter((status) => status === 429).length >= 2, `${told}: ${first.join()}`);
      assert.ok(first.filter((status) => status !== 429).length >= 2, `${told}: ${first.join()}`);
    }
  });

  it('count the calls of a person in the console', async () => {
    const other = await stack().stranger();
    const person = await signIn({ ...stack(), ...other });
    const began = performance.now();
    const answers = await Promise.all(Array.from({ length: 3 * burst }, () => person.call('GET', '/agents')));
    const windows = 1 + Math.floor((performance.now() - began) / windowMs);
    const passed = answers.filter(({ status }) => status === 200).length;
    assert.ok(passed > 0 && passed <= windows * burst, `${passed} passed in ${windows} windows`);
    assert.equal((await hurl([other.api], 5)).passed, 5);
  });

  it('refuse nothing while they are off', async () => {
    const { token } = await stack().stranger();
    await second.kill();
    await second.start({ RATE_LIMIT: 'off', ORGANIZATION_RATE_LIMIT: 'off' });
    assert.equal((await hurl([new ApiClient(secondUrl, token)], 3 * burst)).passed, 3 * burst);
  });
});
