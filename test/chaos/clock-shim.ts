/** Loaded before the API or the worker: their JavaScript clock runs ahead or behind by the seconds in CLOCK_FILE. */
import { readFileSync } from 'node:fs';

const file = process.env['CLOCK_FILE'] ?? '';
const RealDate = Date;
let offsetMs = 0;
const read = () => {
  try {
    offsetMs = Number(readFileSync(file, 'utf8')) * 1000 || 0;
  } catch {
    offsetMs = 0; // no file, no jump
  }
};
read();
setInterval(read, 250).unref();

globalThis.Date = new Proxy(RealDate, {
  construct: (target, given: unknown[], asked) =>
    Reflect.construct(target, given.length === 0 ? [target.now() + offsetMs] : given, asked) as Date,
  apply: (target) => new target(target.now() + offsetMs).toString(),
  get: (target, name, self) =>
    name === 'now' ? () => target.now() + offsetMs : (Reflect.get(target, name, self) as unknown),
});
