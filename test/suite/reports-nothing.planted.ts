/** Planted for ends-early.test.ts: has lost its tests. */
describe('A planted file', () => {
  before(() => undefined);
});
