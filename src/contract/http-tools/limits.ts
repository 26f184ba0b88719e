/**
 * Limits of HTTP tools that both the API and the console check. Imports no zod, so that the console can use this file
 * without loading zod.
 */

/** Maximum number of HTTP tools of one organization. Chosen. */
export const maxHttpTools = 100;

/** Maximum headers of an HTTP tool. Chosen. */
export const maxHeaders = 20;

/** Maximum of `answer_max_chars`: about 6,000 tokens. Chosen. */
export const maxAnswerChars = 24_000;

/** Maximum characters of an OpenAPI document. Chosen. */
export const maxOpenapiChars = 900_000;
