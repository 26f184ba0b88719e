/** Limits of MCP servers that the console checks too. Apart from the schemas, so that the console loads without zod. */

/** Maximum MCP servers of one organization. Chosen. */
export const maxMcpServers = 20;

/** Maximum tools of one server that agents may call. Chosen. */
export const maxMcpTools = 100;
