/** Lists Parley's document actions, as any client of the Model Context Protocol can. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { setting } from './settings.ts';

const client = new Client({ name: 'example', version: '1' });
const transport = new StreamableHTTPClientTransport(new URL(`${setting('PARLEY_URL')}/mcp`), {
  requestInit: { headers: { Authorization: `Bearer ${setting('PARLEY_TOKEN')}` } },
});
await client.connect(transport);
const { tools } = await client.listTools();
for (const { name, description } of tools) console.log(`${name}: ${description ?? ''}`);
await client.close();
