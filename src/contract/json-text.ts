/** JSON that is passed on unchanged: JSON.parse would round numbers, and lose or reorder keys. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** @throws Error outside of stringify(): JSON.stringify alone cannot insert JSON text into JSON */
  toJSON(): string {
    if (collected === undefined) throw new Error('A value with a JsonText must be written with stringify().');
    return `${placeMark()}${collected.push(this.text) - 1}`;
  }
}

/** The texts that the running stringify() has met. */
let collected: string[] | undefined;
let mark: string | undefined;

/** Random and never sent anywhere, so no input can contain it. Created at first use, because browsers only read JSON. */
function placeMark(): string {
  mark ??= `json-text ${crypto.randomUUID()} `;
  return mark;
}

/** Like JSON.stringify, but writes the text of each JsonText unchanged. */
export function stringify(value: unknown): string {
  const texts: string[] = [];
  collected = texts;
  let json: string;
  try {
    json = JSON.stringify(value);
  } finally {
    collected = undefined;
  }
  if (texts.length === 0) return json;
  return json.replaceAll(new RegExp(`"${placeMark()}(\\d+)"`, 'g'), (_, n: string) => texts[Number(n)] ?? '');
}

/**
 * @param value the parsed text
 * @returns the value, with one field of the outermost object as its original text, without the white space between its
 * tokens
 */
export function keepField(text: string, value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return value;
  return { ...value, [name]: new JsonText(withoutSpace(fieldOf(text, name))) };
}

/** @param text of an object that has the field. If the field occurs twice, the last one counts, as with JSON.parse. */
function fieldOf(text: string, name: string): string {
  let depth = 0;
  let key = '';
  let from = 0;
  let found = '';
  for (let at = 0; at < text.length; at++) {
    const sign = text[at];
    if (sign === '"') {
      const end = endOfString(text, at);
      if (depth === 1 && from === 0) key = String(JSON.parse(text.slice(at, end)));
      at = end - 1;
    } else if (sign === '{' || sign === '[') depth += 1;
    else if (sign === ':' && depth === 1) from = at + 1;
    else if (sign === '}' || sign === ']' || (sign === ',' && depth === 1)) {
      if (sign !== ',') depth -= 1;
      if (depth > (sign === ',' ? 1 : 0)) continue;
      if (key === name && from > 0) found = text.slice(from, at);
      from = 0;
    }
  }
  return found;
}

function withoutSpace(text: string): string {
  const parts: string[] = [];
  for (let at = 0; at < text.length;) {
    const quote = text.indexOf('"', at);
    const start = quote === -1 ? text.length : quote;
    parts.push(text.slice(at, start).replaceAll(/[ \t\n\r]/g, ''));
    at = quote === -1 ? text.length : endOfString(text, start);
    parts.push(text.slice(start, at));
  }
  return parts.join('');
}

/** @returns the index after the string that starts at the quote */
function endOfString(text: string, quote: number): number {
  for (let end = text.indexOf('"', quote + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text[end - 1 - escapes] === '\\') escapes += 1;
    if (escapes % 2 === 0) return end + 1;
  }
  return text.length;
}
