/**
 * Limits of agents and messages that the API checks and the console shows. Imports no zod, so that the console can use this
 * file without loading zod.
 */

/**
 * Maximum time limit of one model call, in seconds. A longer call could exceed its activity's timeout. Must equal the
 * maximum of MODEL_TIMEOUT_SECONDS in src/domain/time-limits.ts, which the contract cannot import.
 */
export const maxModelTimeoutSeconds = 480;

/**
 * Maximum number of people whom an agent asks on WhatsApp to approve tool calls. Chosen: each person gets a message for
 * each call that needs approval.
 */
export const maxApprovers = 5;
/** Maximum output cap of a model call, in tokens. Chosen: more than the models of any provider write in one answer. */
export const maxOutputTokensCap = 1_000_000;

/** Maximum temperature of a model call, as OpenAI and Gemini define it. Anthropic refuses more than 1. */
export const maxTemperature = 2;
/** Number of days for which a deleted agent can be restored. Chosen. */
export const restoreDays = 7;

/** Maximum number of files of a message. Chosen. */
export const maxAttachments = 10;
/** Maximum MiB of a request that contains files. Chosen. */
export const maxMebibytesWithFiles = 16;
/**
 * Maximum bytes of the files that the console sends with one message: 12 MB. Base64 makes them a third longer, which
 * leaves 777 kB of the request for the text and the names.
 */
export const maxFilesBytes = (maxMebibytesWithFiles * 3 * 1_000_000) / 4;
/** A content type that the API accepts for a file. */
export const contentTypePattern = /^[\w.+-]+\/[\w.+-]+(\s*;[^\x00\r\n]*)?$/;

/**
 * Other conversations than waiting ones are counted among this many of those that were active last, because consoles
 * poll the counts. Chosen.
 */
export const countedAmong = 100;
/** Maximum number of runs of a version that are counted. Chosen: enough for a rate of failures to 0.1 %. */
export const maxRunsOfVersion = 1000;
