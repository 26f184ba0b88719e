/** The surroundings of a page's reader: a shell, and Parley as `npm start` leaves it, with the emulators beside it. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { bootstrap } from '../../src/local/bootstrap.ts';
import { freePort } from '../../src/local/ports.ts';
import { projectRoot } from '../../src/local/project-root.ts';
import { startExample } from '../examples/run-example.ts';
import { backing } from '../support/backing.ts';
import { startGatewayEmulator } from '../support/gateway/start-gateway-emulator.ts';
import { startStack, type Stack } from '../support/stack.ts';
import { demoWorkspace } from '../support/workspace/demo.ts';
import { startWorkspaceEmulator } from '../support/workspace/emulator.ts';
import { startAdministrator, type Administrator } from './administrator.ts';
import { openShell, type Ran } from './shell-session.ts';

export interface Ground {
  stack: Stack;
  addresses: readonly (readonly [shown: string, here: string])[];
  /** Runs statements as the administrator of another Postgres, new to the product. */
  sql: (statements: string) => Promise<void>;
  stop: () => Promise<void>;
}

/** Starts the programs that the pages start beside Parley, with their settings. */
export async function startGround(): Promise<Ground> {
  const gateway = await startGatewayEmulator({ instanceToken: 'emulator-token' });
  const workspace = await startWorkspaceEmulator();
  await demoWorkspace(workspace);
  const refunds = startExample('refunds.ts', {
    PORT: '0',
    REFUNDS_FILE: join((await backing()).folder, 'refunds-of-docs.sqlite'),
  });
  const [, refundsUrl = ''] = await refunds.says(/listening: (\S+)/);
  const [workerPort, metricsPort] = [await freePort(), await freePort()];
  const stack = await startStack({
    ...{ apis: 1, workers: 1 },
    env: {
      // Links begin with it. `npm start` sets the same.
      PUBLIC_URL: 'http://127.0.0.1:3000',
      WORKER_PORT: String(workerPort),
      METRICS_PORT: String(metricsPort),
      DOCS_API_URL: workspace.url,
      GATEWAY_ALLOW: new URL(gateway.url).host,
      TOOL_ALLOW: new URL(refundsUrl).host,
      // The value in docs/refunds.md.
      MODEL_PRICES: '{"scripted/default":{"input":0,"output":0.25}}',
      ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    },
  });
  let administrator: Promise<Administrator> | undefined;
  const sql: Ground['sql'] = async (statements) => {
    await (await (administrator ??= startAdministrator())).run(statements);
  };
  const stop = async () => {
    await stack.stop();
    await Promise.all([...[gateway.stop(), workspace.stop(), refunds.kill()], (await administrator)?.stop()]);
  };
  /** Addresses in the pages, and what they are here. */
  const addresses: Ground['addresses'] = [
    ['http://127.0.0.1:3000', stack.apiUrl.replace(/\/v1$/, '')],
    ['http://127.0.0.1:3001', `http://127.0.0.1:${workerPort}`],
    ['http://127.0.0.1:3002', `http://127.0.0.1:${metricsPort}`],
    ['http://127.0.0.1:3999', workspace.url],
    ['http://127.0.0.1:4100', gateway.url],
    ['http://127.0.0.1:4030', new URL(refundsUrl).origin],
  ];
  return { stack, addresses, sql, stop };
}

export interface Desk {
  folder: string;
  /** The path at which callbacks arrive on the page. */
  callbackPath: string;
  /** Runs a command as the page has it, with the reader's own values instead of its examples. */
  run: (command: string) => Promise<Ran>;
  close: () => Promise<void>;
}

/** @param name of a page: each has an organization of its own */
export async function openDesk({ stack, addresses }: Ground, name: string): Promise<Desk> {
  const folder = mkdtempSync(join((await backing()).folder, 'desk-'));
  const admin = { email: `${name}@parley.local`, password: randomBytes(12).toString('base64url') };
  const made = await bootstrap(stack.databaseUrl, { encryption_key: '', admin });
  const callbackPath = `/callback-${name}`;
  const env = {
    PATH: `${join(process.execPath, '..')}:${process.env['PATH'] ?? ''}`,
    HOME: folder,
    DATABASE_URL: stack.databaseUrl,
    ENCRYPTION_KEY: stack.env['ENCRYPTION_KEY'],
  };
  const shell = openShell(folder, env, parleyCommand);
  /** The values that a page writes as `NAME=…`: known from the start, then as they were last printed. */
  const values = new Map([
    ['AGENT', made.agent_id],
    ['PARLEY_AGENT', made.agent_id],
    ['TOKEN', made.token],
    ['ORGANIZATION', made.organization_id],
  ]);
  const ownValues = (command: string) =>
    addresses
      .reduce((text, [shown, here]) => text.replaceAll(shown, here), command)
      .replaceAll(exampleAgent, made.agent_id)
      .replaceAll('pk_…', made.token)
      .replaceAll('http://127.0.0.1:37625/callback', stack.receiver.url(callbackPath))
      .replaceAll(/\b([A-Z_]+)=…/g, (found, variable: string) => {
        const value = values.get(variable);
        if (value === undefined) throw new Error(`Nothing printed so far is a ${variable}: ${found}`);
        return `${variable}=${value}`;
      });
  return {
    folder,
    callbackPath,
    run: async (command) => {
      const given = ownValues(command);
      const elsewhere = [...given.matchAll(/https?:\/\/([^/:'"\s]+)/g)].filter(
        ([, host]) => host !== '127.0.0.1',
      );
      if (elsewhere.length > 0) throw new Error(`It would leave this machine: ${given}`);
      const ran = await shell.run(given);
      for (const [, field = '', id = ''] of ran.output.matchAll(/"(\w+)_id":\s*"([^"]+)"/g))
        values.set(field.toUpperCase(), id);
      const id = /"id":\s*"([^"]+)"/.exec(ran.output)?.[1];
      if (id !== undefined) values.set('ID', id);
      return ran;
    },
    close: async () => {
      await shell.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The id in the pages. */
const exampleAgent = '01a1fecb-fb1c-7764-ab34-8f2d3b103954';

/** `npm run parley` without npm: the program itself, in the reader's folder. */
const parleyCommand = `npm() {
  while [ "$1" = run ] || [ "$1" = -s ] || [ "$1" = parley ] || [ "$1" = -- ]; do shift; done
  node ${join(projectRoot, 'src/cli/main.ts')} "$@"
}`;
