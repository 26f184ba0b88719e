/** Strangers at the console's door. */
import type { Attack } from '../attack.ts';

export const signIns: readonly Attack[] = [
  {
    name: 'sign-ins',
    what: 'a stranger tries passwords of accounts that do not exist, 40 a second, each account once',
    // With as many threads as an operator may give: their number shall not be what bounds the memory of hashes.
    env: { UV_THREADPOOL_SIZE: '64' },
    run: async (attacker) => {
      const url = `${attacker.target.origin}/console/api`;
      const headers = { origin: attacker.target.origin };
      await attacker.repeat(40, 40, (number) =>
        attacker.call('POST', '/sign-in', {
          ...{ url, headers, token: null },
          body: {
            email: `${attacker.target.seed}-${number}@example.com`,
            password: 'a password of some length',
          },
        }),
      );
    },
    plant: {
      edits: [
        [
          'src/api/accounts/password-guard.ts',
          'const strangers = new Limiter({ max: 1, maxPerOwner: 1, maxWaiting: 10, maxWaitMs: 10_000 });',
          'const strangers = new Limiter({ max: 99, maxPerOwner: 99, maxWaiting: 99, maxWaitMs: 10_000 });',
        ],
        ['src/api/accounts/password-guard.ts', 'address: { free: 100,', 'address: { free: 1e9,'],
      ],
    },
  },
];
