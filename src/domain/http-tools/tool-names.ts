/** Names that an HTTP tool cannot have, because built-in tools and the tools of MCP servers use them. */
const reserved = /^(?:docs_.*|mcp_.*|read_tool_result|transfer_to_agent|hand_.*)$/i;

/** True if a built-in tool or a tool of an MCP server has this name, or may have it later. */
export const isReservedToolName = (name: string): boolean => reserved.test(name);

/** True if only a tool of an MCP server may have this name. */
export const isMcpToolName = (name: string): boolean => name.startsWith('mcp_');
