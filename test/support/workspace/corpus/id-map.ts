/** Recorded ids and the emulator's own, learned by reading both answers side by side. */
import { dashed } from '../ids.ts';
import { isObject, type Json } from '../json.ts';

const uuid = /[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}/gi;

export class IdMap {
  readonly #known = new Map<string, string>();

  has(id: string): boolean {
    return this.#known.has(id);
  }

  get(id: string): string | undefined {
    return this.#known.get(id);
  }

  set(recorded: string, own: string): void {
    this.#known.set(recorded, own);
  }

  /** Objects, properties, options and discussions: every string under a key that ends in `id`, and cursors. */
  learn(recorded: Json, own: Json): void {
    if (Array.isArray(recorded) && Array.isArray(own)) {
      for (const [index, each] of recorded.entries()) {
        const match = own[index];
        if (match !== undefined) this.learn(each, match);
      }
      return;
    }
    if (!isObject(recorded) || !isObject(own)) return;
    for (const [key, value] of Object.entries(recorded)) {
      const mine = own[key];
      if (mine === undefined) continue;
      const isId = /(^|_)id$|^next_cursor$/.test(key) && key !== 'request_id';
      if (isId && typeof value === 'string' && typeof mine === 'string') {
        if (!this.#known.has(value)) this.#known.set(value, mine);
      } else this.learn(value, mine);
    }
  }

  /** The same request with the emulator's ids. */
  translate(value: Json): Json {
    if (typeof value === 'string') return this.text(value);
    if (Array.isArray(value)) return value.map((each) => this.translate(each));
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => [this.text(key), this.translate(each)]),
    );
  }

  text(value: string): string {
    const whole = this.#known.get(value);
    if (whole !== undefined) return whole;
    return value
      .replaceAll(/[^/?]+/g, (part) => this.#known.get(part) ?? part)
      .replaceAll(uuid, (id) => this.#known.get(dashed(id)) ?? id);
  }
}
