/**
 * Loaded before the API or the worker: kills the process at the statement of `DIE_AT`, and plants the bugs of `PLANT`.
 */
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { isMainThread } from 'node:worker_threads';
import pg from 'pg';
import { applyPlant, type Plant } from '../support/interleavings/load-simulated.ts';

/** The process dies when it sends the statement for the nth time, or when its result arrives. */
export interface Death {
  /** Name of a prepared statement, or `commit`. */
  statement: string;
  at: 'before' | 'after';
  nth: number;
}

if (isMainThread) {
  const { DIE_AT: death, PLANT: plant } = process.env;
  if (death !== undefined) dieAt(JSON.parse(death) as Death);
  if (plant !== undefined) for (const one of [JSON.parse(plant) as Plant | Plant[]].flat()) plantBug(one);
}

function dieAt({ statement, at, nth }: Death): void {
  let seen = 0;
  const die = () => process.kill(process.pid, 'SIGKILL');
  const send = Reflect.get(pg.Client.prototype, 'query') as (...given: unknown[]) => unknown;
  const watched = function (this: pg.Client, ...given: unknown[]): unknown {
    if (nameOf(given[0]) !== statement) return send.apply(this, given);
    seen += 1;
    if (seen !== nth) return send.apply(this, given);
    if (at === 'before') return die();
    const last = given.at(-1);
    if (typeof last === 'function') return send.apply(this, [...given.slice(0, -1), die]);
    return Promise.resolve(send.apply(this, given)).finally(die);
  };
  Object.assign(pg.Client.prototype, { query: watched });
}

function nameOf(query: unknown): string | undefined {
  if (typeof query === 'string') return query.toLowerCase();
  if (typeof query !== 'object' || query === null) return undefined;
  const { name, text } = query as { name?: string; text?: string };
  return name ?? text?.toLowerCase();
}

function plantBug(plant: Plant): void {
  const planted = new URL(`../../${plant.file}`, import.meta.url).href;
  registerHooks({
    load: (url, context, next) => {
      if (url !== planted) return next(url, context);
      const source = applyPlant(readFileSync(fileURLToPath(url), 'utf8'), plant);
      return { format: 'module-typescript', source, shortCircuit: true };
    },
  });
}
