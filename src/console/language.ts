/**
 * Determines the console's language: the user's choice in this browser or, without a choice, the first of the browser's
 * languages that the console has.
 */

/** The console's languages. Each name is in the language itself. */
export const languages = { en: 'English', 'pt-BR': 'Português (Brasil)', es: 'Español' } as const;

export type Language = keyof typeof languages;

export const isLanguage = (value: unknown): value is Language =>
  typeof value === 'string' && Object.hasOwn(languages, value);

const key = 'parley.language';
const baseOf = (tag: string): string => tag.toLowerCase().split('-')[0] ?? '';

/**
 * @param chosen the value that the browser has stored; any value but a language of the console counts as no choice
 * @param preferred the languages of the browser, the preferred one first
 * @returns the chosen language; otherwise the first preferred one that the console has in any variant; otherwise
 * English
 */
export function languageFor(chosen: unknown, preferred: readonly string[]): Language {
  if (isLanguage(chosen)) return chosen;
  const ours = Object.keys(languages).filter(isLanguage);
  for (const tag of preferred) {
    const found = ours.find((language) => baseOf(language) === baseOf(tag));
    if (found !== undefined) return found;
  }
  return 'en';
}

/**
 * Returns the locale that formats numbers and times: the browser's own if it belongs to the language, for example
 * es-MX, otherwise the language itself.
 */
export function localeFor(language: Language, browser: string): string {
  return baseOf(browser) === baseOf(language) ? browser : language;
}

function chosenLanguage(): string | null {
  try {
    return window.localStorage.getItem(key);
  } catch {
    return null; // Storage is disabled, or this is not a browser.
  }
}

export const language = languageFor(chosenLanguage(), navigator.languages);
export const locale = localeFor(language, new Intl.DateTimeFormat().resolvedOptions().locale);

/**
 * Stores the choice in this browser, and loads the page again in this language. Does neither if storage is disabled.
 */
export function chooseLanguage(chosen: Language): void {
  try {
    window.localStorage.setItem(key, chosen);
  } catch {
    return;
  }
  window.location.reload();
}
