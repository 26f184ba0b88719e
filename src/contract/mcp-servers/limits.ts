/** Maximum MCP servers of one organization. Chosen. */
export const maxMcpServers = 20;

/** Maximum tools of one server that agents can call. Chosen. */
export const maxMcpTools = 100;
