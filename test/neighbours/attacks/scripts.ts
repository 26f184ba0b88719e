/** Scripted agents: patterns that take long, answers that wait. */
import { z } from 'zod';
import type { Attack } from '../attack.ts';

const patterns = 'src/adapters/models/scripted-model.ts';

export const scripts: readonly Attack[] = [
  {
    name: 'patterns',
    what: 'A has agents whose scripts hold as many patterns as they may, offers larger ones, and sends them long texts, 5 a second',
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
      // Refused, unless nothing bounds what a script's patterns are once they are compiled.
      const larger = Array.from({ length: 66 }, () => ({
        when: `${'(?:.?){1000}'.repeat(5)}$`,
        reply: 'no',
      }));
      const made = await attacker.call('POST', '/agents', {
        body: { name: 'larger', model: 'scripted/default', script: larger },
      });
      const taken = z.object({ id: z.string() }).safeParse(made);
      if (taken.success) attacker.target.given['agent0'] = taken.data.id;
      await attacker.repeat(5, 40, (number) =>
        attacker.call('POST', `/chat/${attacker.target.given[`agent${number % 5}`]}`, {
          body: { message, contact: { id: `a-${number % 200}` } },
        }),
      );
    },
    plant: {
      edits: [
        [
          patterns,
          'export const maxPatternInstructions = 1000;',
          'export const maxPatternInstructions = Infinity;',
        ],
        [
          patterns,
          'export const maxScriptInstructions = 5000;',
          'export const maxScriptInstructions = Infinity;',
        ],
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
