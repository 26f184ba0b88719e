/** Copies an event body without credentials and previews, so that it can be stored or logged. */

/** The gateway puts the instance's own credential into every event, as `token`. */
const secretKey = /token|secret|api_?key|password|qrcode|paircode/i;
const previewKey = /^(jpegthumbnail|imagepreview|waveform)$/i;
const deepest = 32;

export function redactGatewayEvent(body: unknown, knownSecrets: readonly string[] = []): unknown {
  const secrets = knownSecrets.filter((secret) => secret !== '');
  const clean = (value: unknown, depth: number): unknown => {
    if (typeof value === 'string')
      return secrets.reduce((kept, one) => kept.replaceAll(one, '[removed]'), value);
    if (typeof value !== 'object' || value === null) return value;
    if (depth >= deepest) return '[too deep]';
    if (Array.isArray(value)) return value.map((one) => clean(one, depth + 1));
    return Object.fromEntries(
      Object.entries(value)
        .filter(([key]) => !secretKey.test(key) && !previewKey.test(key))
        .map(([key, one]) => [key, clean(one, depth + 1)]),
    );
  };
  return clean(body, 0);
}
