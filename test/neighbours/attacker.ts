/** The attacker's process, started by run-attack.ts: it gets the processor last, so that what is slow is the product. */
import { setPriority } from 'node:os';
import { Attacker, type Target } from './attack.ts';
import { attacks } from './attacks/index.ts';

setPriority(19);
process.on('disconnect', () => process.exit(0));
// What an attack has left under way may end badly, and is none of its words.
process.on('unhandledRejection', () => undefined);

let attacker: Attacker | undefined;

async function obey(word: { type: string; name?: string; target?: Target; seconds?: number }): Promise<void> {
  const attack = attacks.find(({ name }) => name === word.name);
  if (attack === undefined) throw new Error(`no attack ${word.name}`);
  if (word.type === 'prepare' && word.target !== undefined) {
    attacker = new Attacker(word.target);
    await attack.prepare?.(attacker);
    process.send?.({ type: 'prepared' });
  }
  if (word.type === 'attack' && attacker !== undefined) {
    const ms = (word.seconds ?? 0) * 1000;
    attacker.until = performance.now() + ms;
    let error: string | undefined;
    // What does not end by itself is left: its process ends.
    const late = new Promise((resolve) => setTimeout(resolve, ms + 2000));
    await Promise.race([attack.run(attacker), late]).catch((reason: unknown) => (error = String(reason)));
    await Promise.race([attacker.end(), new Promise((resolve) => setTimeout(resolve, 2000))]);
    process.send?.({ type: 'over', answers: Object.fromEntries(attacker.answers), error });
  }
}

process.on('message', (word: { type: string }) => {
  obey(word).catch((error: unknown) => {
    process.send?.({ type: 'broken', error: error instanceof Error ? error.stack : String(error) });
  });
});
