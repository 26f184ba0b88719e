import assert from 'node:assert/strict';
import { readExceptions } from '../../../src/domain/http/address-rules.ts';

describe('address exceptions', () => {
  it('opens nothing by default', () => {
    const none = readExceptions([]);
    assert.equal(none.coversHost('localhost', 80), false);
    assert.equal(none.coversAddress('127.0.0.1'), false);
    assert.equal(none.hasRanges, false);
  });

  it('opens a host with a port at that port alone', () => {
    const some = readExceptions(['127.0.0.1:4000', '[::1]:4001', 'Gateway.Local.:8080']);
    assert.equal(some.coversHost('127.0.0.1', 4000), true);
    assert.equal(some.coversHost('127.0.0.1', 4001), false);
    assert.equal(some.coversHost('::1', 4001), true);
    assert.equal(some.coversHost('gateway.local', 8080), true);
    assert.equal(some.coversHost('gateway.local', 80), false);
    assert.equal(some.coversHost('x.gateway.local', 8080), false);
  });

  it('opens a host without a port at every port', () => {
    const some = readExceptions(['gateway', '::1', '10.0.0.5']);
    assert.equal(some.coversHost('gateway', 1), true);
    assert.equal(some.coversHost('::1', 2), true);
    assert.equal(some.coversHost('10.0.0.5', 3), true);
    assert.equal(some.coversHost('10.0.0.6', 3), false);
  });

  it('opens the addresses of a range and no others', () => {
    const some = readExceptions(['172.18.0.0/16', 'fd00::/8']);
    assert.equal(some.hasRanges, true);
    assert.equal(some.coversAddress('172.18.255.255'), true);
    assert.equal(some.coversAddress('172.19.0.0'), false);
    assert.equal(some.coversAddress('fd12::1'), true);
    assert.equal(some.coversAddress('fc00::1'), false);
    assert.equal(some.coversAddress('fd12::1%eth0'), false);
    assert.equal(some.coversAddress('gateway'), false);
  });

  for (const entry of [
    '10.0.0.0/33',
    '10.0.0.0/',
    '10.0/8',
    'gateway/8',
    'http://x',
    'a b',
    'x:0',
    'x:70000',
    '*',
    ':80',
  ]) {
    it(`refuses ${JSON.stringify(entry)} by name`, () => {
      assert.throws(
        () => readExceptions([entry]),
        (error: Error) => error.message.includes(`"${entry}"`),
      );
    });
  }
});
