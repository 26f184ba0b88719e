/**
 * Names that an HTTP tool cannot have, because built-in tools and the tools of MCP servers use them or may use them
 * later.
 */
const reserved = /^(?:docs_.*|mcp_.*|read_tool_result|transfer_to_agent|hand_.*)$/i;

/** True if an HTTP tool cannot have this name. */
export const isReservedToolName = (name: string): boolean => reserved.test(name);

/** True if only a tool of an MCP server may have this name. */
export const isMcpToolName = (name: string): boolean => name.startsWith('mcp_');
