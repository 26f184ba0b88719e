/**
 * Names that an HTTP tool cannot have, because built-in tools and the tools of MCP servers use them now or may use
 * them later.
 */
const reserved = /^(?:docs_.*|mcp_.*|read_tool_result|transfer_to_agent|hand_.*)$/i;

/** True if an HTTP tool cannot have this name. */
export const isReservedToolName = (name: string): boolean => reserved.test(name);

/** True if the name is reserved for tools of MCP servers. */
export const isMcpToolName = (name: string): boolean => name.startsWith('mcp_');
