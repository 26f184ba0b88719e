import assert from 'node:assert/strict';
import OpenAI, { type APIError } from 'openai';
import { answer, Parley } from '../../src/client/index.ts';
import { useStack } from '../support/stack.ts';
import { until } from '../support/until.ts';

describe('At a rate limit', () => {
  const stack = useStack({ env: { RATE_LIMIT: '2' } });
  const openAi = (maxRetries: number) =>
    new OpenAI({ baseURL: `${stack().apiUrl}/openai`, apiKey: stack().token, maxRetries });

  it('the client of Parley waits and repeats: all calls get through', async () => {
    let refused = 0;
    const parley = new Parley({
      baseUrl: stack().apiUrl,
      token: (await stack().stranger()).token,
      tries: 30,
      fetch: async (request) => {
        const response = await fetch(request);
        if (response.status === 429) refused += 1;
        return response;
      },
    });
    const calls = Array.from({ length: 14 }, () => answer(parley.api.GET('/organization')));
    assert.equal((await Promise.all(calls)).length, 14);
    assert.ok(refused > 0);
  });

  it("OpenAI's SDK waits as Retry-After says and repeats; without repeats it gets 429", async () => {
    const patient = openAi(5);
    for (let calls = 0; calls < 4; calls++) await patient.models.list();
    const hasty = openAi(0);
    const refused = await until('the limit', async () =>
      hasty.models.list().then(
        () => undefined,
        (error: unknown) => error as APIError<number, Headers>,
      ),
    );
    assert.deepEqual(
      [refused.constructor.name, refused.status, refused.code, refused.type],
      ['RateLimitError', 429, 'rate_limited', 'rate_limit_error'],
    );
    assert.match(refused.headers.get('retry-after') ?? '', /^\d+$/);
  });
});
