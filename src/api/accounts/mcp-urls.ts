/** Where MCP clients find the endpoint, its metadata and its authorization server. */
export interface McpUrls {
  /** Of the authorization server, which is the API itself. No slash at the end. */
  issuer: string;
  /** The endpoint's own address: the audience of its tokens. */
  resource: string;
  /** Of the protected-resource metadata (RFC 9728). */
  metadata: string;
}

/** Begins an access token, so that it is told from an API token. */
export const mcpPrefix = 'mcp_';

export function mcpUrls(publicUrl: string): McpUrls {
  const issuer = publicUrl.replace(/\/$/, '');
  return {
    issuer,
    resource: `${issuer}/v1/mcp`,
    metadata: `${issuer}/.well-known/oauth-protected-resource/v1/mcp`,
  };
}
