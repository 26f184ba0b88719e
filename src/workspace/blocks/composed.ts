/** More marks than this on one letter are in no language (UAX #15 allows as many in a stream). */
const manyMarks = /\p{M}{31}/u;

/**
 * The letters with their marks as one character where there is one (NFC). A text with very many marks on a letter stays
 * as it is: to bring them into order takes quadratic time.
 */
export const composed = (text: string): string => (manyMarks.test(text) ? text : text.normalize('NFC'));
