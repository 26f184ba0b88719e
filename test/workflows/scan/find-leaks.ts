/** Looks through all that Temporal holds of a workflow for what must never be there. */

const url = /\b(https?|wss?|postgres(ql)?):\/\/[^\s"']+/i;
const token = /\bpk_[0-9A-Za-z]{8,}/;

/**
 * @param json of a history or a description, payloads in base64
 * @param planted words of eight letters or more from texts, secrets and URLs
 * @returns each finding, with the text around it
 */
export function findLeaks(json: string, planted: readonly string[]): string[] {
  const forms = planted.flatMap(formsOf);
  const leaks = new Set<string>();
  for (const text of [json, ...decoded(json)]) {
    for (const form of forms) {
      const at = text.toLowerCase().indexOf(form.toLowerCase());
      if (at !== -1) leaks.add(text.slice(Math.max(0, at - 40), at + form.length + 40));
    }
    for (const pattern of [url, token]) {
      const found = pattern.exec(text)?.[0];
      if (found !== undefined) leaks.add(found);
    }
  }
  return [...leaks];
}

/** Forms of a text: plain, and inside base64 (of each alignment), hex and a URL. */
function formsOf(word: string): string[] {
  const bytes = Buffer.from(word);
  const inBase64 = [0, 1, 2].map((shift) => {
    const whole = Buffer.concat([Buffer.alloc(shift), bytes]).toString('base64');
    return whole.slice(shift === 0 ? 0 : 4, Math.floor((bytes.length + shift) / 3) * 4);
  });
  return [...new Set([word, ...inBase64, bytes.toString('hex'), encodeURIComponent(word)])];
}

/** Every string that reads as base64, as bytes. */
function decoded(json: string): string[] {
  return [...json.matchAll(/"([A-Za-z\d+/]{4,}={0,2})"/g)].map(([, text]) =>
    Buffer.from(text!, 'base64').toString('utf8'),
  );
}
