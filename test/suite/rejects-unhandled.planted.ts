import { setImmediate as settle } from 'node:timers/promises';

describe('A file with a rejection that nobody handles', () => {
  it('passes but for that', async () => {
    void Promise.reject(new Error('nobody looks'));
    await settle();
  });
});
