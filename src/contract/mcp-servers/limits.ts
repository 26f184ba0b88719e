/** Maximum number of MCP servers of one organization. Chosen. */
export const maxMcpServers = 20;

/** Maximum number of one server's tools that agents can call. Chosen. */
export const maxMcpTools = 100;
