/** A recorded history without what belongs to the machine that recorded it: its name, its paths, its random ids. */

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** Numbers ids in the order in which they appear. */
export class Cleaner {
  readonly #ids = new Map<string, string>();

  /** @param history as historyToJSON wrote it @returns one event a line */
  clean(history: string): string {
    const { events } = JSON.parse(history) as { events: Json[] };
    const lines = events.map((event) => JSON.stringify(this.#value('', event)));
    return `{"events":[\n${lines.join(',\n')}\n]}\n`;
  }

  text(text: string): string {
    return text.replace(uuid, (id) => {
      const known =
        this.#ids.get(id) ?? `00000000-0000-7000-8000-${String(this.#ids.size + 1).padStart(12, '0')}`;
      this.#ids.set(id, known);
      return known;
    });
  }

  #value(name: string, value: Json): Json {
    if (typeof value === 'string') return this.#string(name, value);
    if (Array.isArray(value)) return value.map((one) => this.#value(name, one));
    if (value === null || typeof value !== 'object') return value;
    const entries = Object.entries(value).filter(([field]) => !dropped.has(field));
    return Object.fromEntries(entries.map(([field, inner]) => [field, this.#value(field, inner)]));
  }

  #string(name: string, value: string): string {
    if (name === 'identity')
      return value.startsWith('worker-') ? 'worker' : value.includes('@') ? 'client' : value;
    if (name !== 'data') return this.text(value);
    const bytes = Buffer.from(value, 'base64');
    const text = bytes.toString('utf8');
    return Buffer.from(text).equals(bytes) ? Buffer.from(this.text(text)).toString('base64') : value;
  }
}

/** Stacks name the project's folder, build ids the hash of a bundle, log tokens are random: no replay reads them. */
const dropped = new Set(['stackTrace', 'workerVersion', 'requestId', 'requestIdReferenceInfos', 'taskId']);
