import assert from 'node:assert/strict';
import { outcomesByEndpoint } from '../../../src/domain/conversations/receivers.ts';

describe('The outcomes of callbacks by endpoint', () => {
  const endpoints = [
    { id: 'shop', url: 'https://shop.example' },
    { id: 'orders', url: 'https://shop.example/orders' },
    { id: 'idle', url: 'https://idle.example' },
  ];
  const at = (url: string, attempts: number, failed = 0, blocked = 0) => ({ url, attempts, failed, blocked });

  it('sum the URLs at and below it, each under the endpoint with the longest path', () => {
    const receivers = [
      ...[at('https://shop.example/orders', 2, 1), at('https://shop.example/orders/eu', 3, 0, 1)],
      ...[at('https://shop.example/ordersx', 4), at('https://other.example/', 9), at('not a url', 9)],
    ];
    assert.deepEqual(outcomesByEndpoint(receivers, endpoints), [
      { id: 'orders', attempts: 5, failed: 1, blocked: 1 },
      { id: 'shop', attempts: 4, failed: 0, blocked: 0 },
    ]);
    assert.deepEqual(outcomesByEndpoint(receivers, []), []);
  });
});
