/** A stack of its own, with something of every kind in it, under Schemathesis. Run by main.ts. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stopBacking } from '../support/backing.ts';
import { startDocsStack } from '../support/docs-stack.ts';
import { startGatewayEmulator } from '../support/gateway/start-gateway-emulator.ts';
import { fuzzSettings, makeKnownData } from './known-data.ts';

const [program = '', examples = '', seed = '', only = ''] = process.argv.slice(2);
const gateway = await startGatewayEmulator();
const docs = await startDocsStack({
  ...{ SYNC_TIMEOUT_SECONDS: '10', CALLBACK_TIMEOUT_SECONDS: '2', GATEWAY_TIMEOUT_SECONDS: '2' },
  ...{ GATEWAY_ALLOW: new URL(gateway.url).host, GATEWAY_PACE: 'none' },
  NODE_OPTIONS: `--import ${join(import.meta.dirname, 'loopback-only.ts')}`,
});
const { stack } = docs;
const folder = mkdtempSync(join(tmpdir(), 'parley-fuzz-'));
writeFileSync(join(folder, 'schemathesis.toml'), fuzzSettings(await makeKnownData(docs, gateway)));

const child = spawn(
  program,
  [
    ...['run', `${stack.apiUrl}/openapi.json`, '--url', stack.apiUrl],
    ...['--header', `Authorization: Bearer ${stack.token}`],
    // Rules that a schema cannot express, such as that one of two fields is required, are answered with 422.
    ...['--checks', 'all', '--exclude-checks', 'positive_data_acceptance'],
    ...['--max-examples', examples, '--seed', seed, '--continue-on-failure'],
    ...['--request-timeout', '20', '--suppress-health-check', 'all', '--no-color', '--warnings', 'off'],
    ...(only === '' ? [] : ['--include-path-regex', only]),
  ],
  { stdio: 'inherit', cwd: folder },
);
const ended: unknown[] = await once(child, 'exit');
const { rows } = await stack.db.pool.query<{ n: number; tools: number }>(
  'select (select count(*) from messages)::int as n, (select count(*) from tool_executions)::int as tools',
);
console.log(`The API took ${rows[0]?.n ?? 0} messages and ran ${rows[0]?.tools ?? 0} actions on the way.`);
await stack.stop();
await Promise.all([docs.emulator.stop(), docs.model.close(), gateway.stop()]);
await stopBacking();
rmSync(folder, { recursive: true, force: true });
process.exit(ended[0] === 0 ? 0 : 1);
