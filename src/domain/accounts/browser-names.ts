/** Names the browser and the operating system of a console session. */

export interface BrowserNames {
  /** Name of the browser; null if it is unknown. */
  browser: string | null;
  /** Name of the operating system; null if it is unknown. */
  system: string | null;
}

/**
 * A name, and what its User-Agent contains. The first match counts: the others contain Chrome's and Safari's names too,
 * and Android's contains Linux.
 */
type Known = readonly [name: string, pattern: RegExp];

const browsers: readonly Known[] = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\b(?:OPR|OPX|OPiOS)\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /(?:\b|Headless)(?:Chrome|CriOS)\//],
  ['Safari', /\bVersion\/.*\bSafari\//],
];
const systems: readonly Known[] = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['Linux', /\bLinux\b/],
];

/** Only the beginning of a longer User-Agent is read. Browsers send about 150 characters. Chosen. */
const maxReadChars = 400;

/**
 * Finds the browser and the operating system in a User-Agent. Returns only names from the lists above, because the
 * client chooses the header.
 */
export function browserNames(userAgent: string | null | undefined): BrowserNames {
  const read = (userAgent ?? '').slice(0, maxReadChars);
  const named = (known: readonly Known[]) => known.find(([, pattern]) => pattern.test(read))?.[0] ?? null;
  return { browser: named(browsers), system: named(systems) };
}
