/** Scripted agents: patterns that take long, answers that wait. */
import type { Attack } from '../attack.ts';

const patterns = 'src/adapters/models/script-patterns.ts';

export const scripts: readonly Attack[] = [
  {
    name: 'patterns',
    what: 'A has agents whose scripts hold as many patterns as they may, and sends them long texts, 5 a second',
    prepare: async (attacker) => {
      const script = [
        ...Array.from({ length: 27 }, () => ({ when: '(?:.?){60}Z', reply: 'no' })),
        { reply: 'end' },
      ];
      for (let number = 0; number < 5; number++) {
        const { id } = await attacker.api.createAgent({ model: 'scripted/default', script });
        attacker.target.given[`agent${number}`] = id;
      }
    },
    run: async (attacker) => {
      const message = 'ab '.repeat(10_000);
      await attacker.repeat(5, 40, (number) =>
        attacker.call('POST', `/chat/${attacker.target.given[`agent${number % 5}`]}`, {
          body: { message, contact: { id: `a-${number % 200}` } },
        }),
      );
    },
    plant: {
      edits: [
        [patterns, 'const maxMatchWork = 1_000_000;', 'const maxMatchWork = 1e12;'],
        [
          'src/adapters/models/scripted-model.ts',
          'const matching = { shareMs: 100, burstMs: 300 };',
          'const matching = { shareMs: 1e9, burstMs: 1e9 };',
        ],
      ],
    },
  },
];
