import { Badge } from '@mantine/core';
import type { McpServer } from '../../../contract/mcp-servers/mcp-servers.ts';
import { texts } from '../../messages.ts';

/**
 * Returns the colour of an MCP server's problem: red if agents may call its tools and cannot, as the severity in
 * src/domain/data/judge-health.ts, otherwise yellow. Undefined without a problem.
 */
export function problemColor({ status, tools }: McpServer): 'red' | 'yellow' | undefined {
  if (status === 'connected') return undefined;
  return tools.length > 0 ? 'red' : 'yellow';
}

/** Whether agents can use an MCP server. */
export function ServerState({ server }: { server: McpServer }) {
  const color = problemColor(server);
  const { isConnected, access } = texts.tools;
  const problem = server.status === 'needs_sign_in' ? access.missing : texts.health.attention;
  return <Badge color={color ?? 'green'}>{color === undefined ? isConnected : problem}</Badge>;
}
