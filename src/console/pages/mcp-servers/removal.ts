import type { McpServer } from '../../../contract/mcp-servers/mcp-servers.ts';
import { deletion, type RowAction } from '../../components/row-actions.tsx';
import { texts } from '../../messages.ts';

/** An action that removes an MCP server after confirmation. */
export const removalOf = ({ id, name }: Pick<McpServer, 'id' | 'name'>): RowAction =>
  deletion({ ...texts.mcpServers.remove(name), path: `/tools/mcp/${id}`, query: 'mcp-servers' });
