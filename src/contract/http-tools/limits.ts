/** Limits of HTTP tools that the console checks too. In a separate file, so that the console loads without zod. */

/** Maximum HTTP tools of one organization. An agent can name 200 tools. Chosen. */
export const maxHttpTools = 100;

/** Maximum characters of an OpenAPI document. Chosen. */
export const maxOpenapiChars = 900_000;
