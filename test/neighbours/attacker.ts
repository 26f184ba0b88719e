/** The attacker's process, started by run-attack.ts. It yields to the product, so that what is slow is the product. */
import { setPriority } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { Attacker, type Target } from './attack.ts';
import { attacks } from './attacks/index.ts';

// At 19, the lowest, other programs on a busy machine left it no processor time: 40 connections got no answer in 8 s.
setPriority(5);
process.on('disconnect', () => process.exit(0));
// Calls that an attack has left in progress may fail, and are not reported.
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
    // An attack that does not end is left running, because its process ends anyway.
    await Promise.race([attack.run(attacker), attacker.rest().then(() => delay(2000))]).catch(
      (reason: unknown) => (error = String(reason)),
    );
    await Promise.race([attacker.end(), delay(2000)]);
    process.send?.({ type: 'over', answers: Object.fromEntries(attacker.answers), error });
  }
}

process.on('message', (word: { type: string }) => {
  obey(word).catch((error: unknown) => {
    process.send?.({ type: 'broken', error: error instanceof Error ? error.stack : String(error) });
  });
});
