/**
 * @returns the path, below the API's address, to which an authorization server sends the browser back after a sign-in
 * at an MCP server
 */
export const mcpCallbackPath = (serverId: string): string => `/tools/mcp/${serverId}/callback`;
