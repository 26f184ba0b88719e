/** The URLs of the MCP endpoint, its metadata and its authorization server. */
export interface McpUrls {
  /** URL of the authorization server (the API itself), without a trailing slash. */
  issuer: string;
  /** URL of the MCP endpoint, which is also the audience of its access tokens. */
  resource: string;
  /** URL of the protected-resource metadata (RFC 9728). */
  metadata: string;
}

/** Prefix of MCP access tokens, which distinguishes them from API tokens. */
export const mcpPrefix = 'mcp_';

/** Returns the URLs. @param publicUrl public origin of the API, with or without a trailing slash */
export function mcpUrls(publicUrl: string): McpUrls {
  const issuer = publicUrl.replace(/\/$/, '');
  return {
    issuer,
    resource: `${issuer}/v1/mcp`,
    metadata: `${issuer}/.well-known/oauth-protected-resource/v1/mcp`,
  };
}
