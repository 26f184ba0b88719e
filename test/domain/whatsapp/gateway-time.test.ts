import assert from 'node:assert/strict';
import { gatewayTimeMs } from '../../../src/domain/whatsapp/classify-event.ts';

describe('gateway time', () => {
  const received = Date.parse('2026-08-20T00:00:00Z');
  for (const [value, expected] of [
    [1787161667000, 1787161667000],
    [1787161667, 1787161667000],
    ['1787161667', 1787161667000],
    ['1787161667000', 1787161667000],
    ['2026-08-19 17:38:52.732Z', Date.parse('2026-08-19T17:38:52.732Z')],
    ['2026-08-19T17:38:52Z', Date.parse('2026-08-19T17:38:52Z')],
    ['yesterday', received],
    ['', received],
    [undefined, received],
    [0, received],
    [-5, received],
    [NaN, received],
    [received + 25 * 3_600_000, received],
    [received + 3_600_000, received + 3_600_000],
  ] as const) {
    it(`reads ${JSON.stringify(value)} as ${new Date(expected).toISOString()}`, () => {
      assert.equal(gatewayTimeMs(value, received), expected);
    });
  }
});
