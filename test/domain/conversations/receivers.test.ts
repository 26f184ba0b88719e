import assert from 'node:assert/strict';
import { outcomesByReceiver, type ReceiverDay } from '../../../src/domain/conversations/receivers.ts';

describe('The outcomes of callbacks by receiver', () => {
  const endpoints = [
    { id: 'shop', url: 'https://shop.example' },
    { id: 'orders', url: 'https://shop.example/orders' },
    { id: 'idle', url: 'https://idle.example' },
  ];
  const days = ['2026-11-28', '2026-11-29'];
  const at = (url: string, attempts: number, other: Partial<ReceiverDay> = {}): ReceiverDay => ({
    ...{ url, host: 'shop.example', day: '2026-11-29', attempts, failed: 0, blocked: 0, durations_ms: [] },
    last: { id: '1', at: '2026-11-29T10:00:00.000Z', status: 'delivered', http_status: 200, error: null },
    ...other,
  });
  const failedLast = {
    ...{ id: '2', at: '2026-11-29T11:00:00.000Z', status: 'failed' as const },
    ...{ http_status: 500, error: 'the server failed' },
  };

  it('sum the URLs at and below an endpoint, each under the endpoint with the longest path', () => {
    const found = outcomesByReceiver(
      [
        at('https://shop.example/orders', 2, { failed: 1, durations_ms: [90, 10], last: failedLast }),
        at('https://shop.example/orders/eu', 3, { blocked: 1, day: '2026-11-28', durations_ms: [30] }),
        at('https://shop.example/ordersx', 4),
      ],
      endpoints,
      days,
    );
    const { id: _, ...last } = failedLast;
    assert.deepEqual(found.endpoints[0], {
      ...{ id: 'orders', attempts: 5, failed: 1, blocked: 1, median_ms: 30, last },
      days: [
        { day: '2026-11-28', attempts: 3, delivered: 2 },
        { day: '2026-11-29', attempts: 2, delivered: 1 },
      ],
    });
    assert.deepEqual(
      found.endpoints.map(({ id, attempts, median_ms }) => [id, attempts, median_ms]),
      [
        ['orders', 5, 30],
        ['shop', 4, null],
      ],
    );
    assert.deepEqual(found.others, []);
  });

  it('list the URLs that no endpoint covers: those with a fault first, then the busiest', () => {
    const { others } = outcomesByReceiver(
      [
        ...[at('https://other.example/quiet', 1), at('https://other.example/busy', 8)],
        ...[at('not a url', 9), at('https://other.example/broken', 1, { blocked: 1 })],
        at('https://other.example/busy', 8, { day: '2026-11-28' }),
      ],
      endpoints,
      days,
    );
    assert.deepEqual(
      others.map(({ url, attempts }) => [url, attempts]),
      [
        ['https://other.example/broken', 1],
        ['https://other.example/busy', 16],
        ['not a url', 9],
        ['https://other.example/quiet', 1],
      ],
    );
  });
});
