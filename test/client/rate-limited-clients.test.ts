import assert from 'node:assert/strict';
import OpenAI, { type APIError } from 'openai';
import { answer, Parley } from '../../src/client/index.ts';
import { useStack } from '../support/stack.ts';
import { until } from '../support/until.ts';

describe('At a rate limit', () => {
  const stack = useStack({ env: { RATE_LIMIT: '2' } });
  let refused = 0;
  const counting: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    if (response.status === 429) refused += 1;
    return response;
  };
  const openAi = (maxRetries: number) =>
    new OpenAI({
      baseURL: `${stack().apiUrl}/openai`,
      apiKey: stack().token,
      maxRetries,
      fetch: counting,
    });
  beforeEach(() => {
    refused = 0;
  });

  it('the client of Parley waits and repeats: all calls get through', async () => {
    const { token } = await stack().stranger();
    const parley = new Parley({ baseUrl: stack().apiUrl, token, tries: 30, fetch: counting });
    const calls = Array.from({ length: 14 }, () => answer(parley.api.GET('/organization')));
    assert.equal((await Promise.all(calls)).length, 14);
    assert.ok(refused > 0);
  });

  it("OpenAI's SDK waits as Retry-After says and repeats; without repeats it gets 429", async () => {
    const patient = openAi(5);
    // Two seconds' calls are allowed at once.
    for (let calls = 0; calls < 8; calls++) await patient.models.list();
    assert.ok(refused > 0);
    const hasty = openAi(0);
    const error = await until('the limit', async () =>
      hasty.models.list().then(
        () => undefined,
        (thrown: unknown) => thrown as APIError<number, Headers>,
      ),
    );
    assert.deepEqual(
      [error.constructor.name, error.status, error.code, error.type],
      ['RateLimitError', 429, 'rate_limited', 'rate_limit_error'],
    );
    assert.match(error.headers.get('retry-after') ?? '', /^\d+$/);
  });
});
