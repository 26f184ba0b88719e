/** No language puts more marks than this on one letter (UAX #15 allows as many in a stream). */
const manyMarks = /\p{M}{31}/u;

/**
 * Composes letters and their marks into single characters (NFC). Text with very many marks on one letter is not
 * changed, because sorting them takes quadratic time.
 */
export const composed = (text: string): string => (manyMarks.test(text) ? text : text.normalize('NFC'));
