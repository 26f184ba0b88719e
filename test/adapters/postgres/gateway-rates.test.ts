import assert from 'node:assert/strict';
import { connectDatabase, type Database } from '../../../src/adapters/postgres/database.ts';
import { takeGatewaySlot } from '../../../src/adapters/postgres/whatsapp/rates.ts';
import { backing } from '../../support/backing.ts';

describe('takeGatewaySlot', () => {
  const access = { baseUrl: 'https://gateway.example.test', token: 'a token of an instance' };
  const perMinute = 20;
  let workers: Database[];
  before(async () => {
    const url = await (await backing()).freshDatabase();
    workers = [connectDatabase(url, 6), connectDatabase(url, 6)];
  });
  after(() => Promise.all(workers.map((one) => one.close())));

  const ask = async (times: number, of = access): Promise<(number | undefined)[]> =>
    await Promise.all(
      Array.from({ length: times }, (_, index) => takeGatewaySlot(workers[index % 2]!, of, perMinute)),
    );
  const taken = (waits: (number | undefined)[]) => waits.filter((one) => one === undefined).length;

  it('gives two workers that ask at once no more sends together than a minute allows, and the others the time to wait', async () => {
    const waits = await ask(100);
    assert.equal(taken(waits), perMinute);
    for (const wait of waits)
      if (wait !== undefined) assert.ok(wait > 30_000 && wait <= 60_000, String(wait));
  });

  it('allows another send for each one that is a minute old', async () => {
    await workers[0]!.pool.query(
      `update gateway_rates set sent_at[1:3] = array_fill(now() - interval '1 minute', array[3])`,
    );
    assert.equal(taken(await ask(50)), 3);
  });

  it('keeps instances apart, and stores neither address nor token', async () => {
    assert.equal(taken(await ask(30, { ...access, token: 'another' })), perMinute);
    const { rows } = await workers[0]!.pool.query<{ row: string }>(
      'select r::text as row from gateway_rates r',
    );
    assert.equal(rows.length, 2);
    assert.equal(/example|token/.test(JSON.stringify(rows)), false);
  });
});
