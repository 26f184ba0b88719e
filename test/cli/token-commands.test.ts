/** The command line's API tokens: what their options give and refuse; and that no command works without a database. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { projectRoot } from '../../src/local/project-root.ts';
import { ApiClient } from '../support/api-client.ts';
import { compileCache } from '../support/compile-cache.ts';
import { commandEnds, type CommandEnded } from '../support/run-command.ts';
import { useSharedStack } from '../support/stack.ts';
import { unknownId } from '../support/unknown-id.ts';
import { until } from '../support/until.ts';

const run = promisify(execFile);
interface Listed {
  id: string;
  status: string;
  scopes: string[] | null;
  agent_ids: string[] | null;
  expires_at: string | null;
}
interface Made {
  id: string;
  token: string;
}

describe('Commands for API tokens', () => {
  const stack = useSharedStack();

  /** @param database undefined: none */
  const envOf = (database: string | undefined): NodeJS.ProcessEnv => ({
    DATA_DIR: '/nowhere',
    ...(database !== undefined && { DATABASE_URL: database }),
  });
  const token = async (command: string, ...args: string[]) =>
    await commandEnds(['token', command, ...args], envOf(stack().databaseUrl));
  const create = async (...args: string[]) =>
    await token('create', '--org', stack().organizationId, '--name', 'made here', ...args);
  const made = ({ code, stdout, stderr }: CommandEnded) => {
    assert.equal(code, 0, stderr);
    return JSON.parse(stdout) as Made;
  };
  const listed = async () => {
    const { stdout } = await token('list', '--org', stack().organizationId);
    return (JSON.parse(stdout) as { data: Listed[] }).data;
  };
  const statusOf = async (secret: string, method: string, path: string, body?: unknown) =>
    (await new ApiClient(stack().apiUrl, secret).call(method, path, { body })).status;
  const lastEvents = async (count: number) =>
    await stack()
      .db.knex<{ organization_id: string; action: string; target: string; actor: string }>('audit_log')
      .where({ organization_id: stack().organizationId })
      .orderBy('id', 'desc')
      .limit(count);

  it('create: --scopes, --agents and --expires-in-days limit the token', async () => {
    const { api } = stack();
    const [own, other] = [await api.createAgent({ script: [{ reply: 'ok' }] }), await api.createAgent()];
    const options = ['--scopes', 'messages.send,agents.view', '--agents', own.id, '--expires-in-days', '30'];
    const { id, token: secret } = made(await create(...options));
    const row = (await listed()).find((one) => one.id === id);
    assert.deepEqual(row?.scopes, ['messages.send', 'agents.view']);
    assert.deepEqual(row.agent_ids, [own.id]);
    const days = (Date.parse(row.expires_at ?? '') - Date.now()) / 86_400_000;
    assert.ok(days > 29.9 && days < 30.1, String(row.expires_at));
    assert.equal(await statusOf(secret, 'GET', `/agents/${own.id}`), 200);
    assert.equal(await statusOf(secret, 'GET', `/agents/${other.id}`), 403);
    assert.equal(await statusOf(secret, 'POST', `/chat/${own.id}`, { message: 'hi' }), 202);
    assert.equal(await statusOf(secret, 'GET', '/conversations'), 403);
    const [event] = await lastEvents(1);
    assert.deepEqual([event?.action, event?.actor.startsWith('command line')], ['token_created', true]);
    assert.match(event?.target ?? '', /^made here \(pk_.*…\): messages\.send, agents\.view$/);
  });

  it('create: without them, the token has full access for ever', async () => {
    const { id, token: secret } = made(await create());
    const row = (await listed()).find((one) => one.id === id);
    assert.deepEqual([row?.scopes, row?.agent_ids, row?.expires_at], [null, null, null]);
    assert.equal(await statusOf(secret, 'GET', '/export'), 200);
  });

  it('create: refuses unknown scopes, another organization’s agents and impossible times, and makes nothing', async () => {
    // Other fields change meanwhile: the API counts the calls of earlier tests later.
    const tokens = async () => (await listed()).map(({ id }) => id);
    const before = await tokens();
    const theirs = await (await stack().stranger()).api.createAgent();
    for (const [wrong, says] of [
      [['--scopes', 'members.manage'], /scopes/],
      [['--scopes', ''], /scopes/],
      [['--agents', unknownId], /no agents of the organization/],
      [['--agents', theirs.id], /no agents of the organization/],
      [['--agents', 'x'], /agent_ids/],
      [['--expires-in-days', '0'], /expires_in_days/],
      [['--expires-in-days', 'soon'], /expires_in_days/],
      [['--expires-in-days', '1.5'], /expires_in_days/],
    ] as const) {
      const { code, stderr } = await create(...wrong);
      assert.equal(code, 1, wrong.join(' '));
      assert.match(stderr, says);
    }
    assert.deepEqual(await tokens(), before);
  });

  it('rotate: the previous secret works until the overlap is over, and the scopes stay', async () => {
    const { id, token: first } = made(await create('--scopes', 'agents.view'));
    const works = async (secret: string) => (await statusOf(secret, 'GET', '/agents')) === 200;
    assert.ok(await works(first));
    const { token: second } = made(await token('rotate', id));
    assert.ok((await works(first)) && (await works(second)));
    assert.equal(await statusOf(second, 'GET', '/conversations'), 403);
    const { token: third } = made(await token('rotate', id, '--overlap-seconds', '0'));
    await until('the earlier secrets to end', async () => !(await works(first)) && !(await works(second)));
    assert.ok(await works(third));
    assert.deepEqual(
      (await lastEvents(2)).map(({ action }) => action),
      ['token_rotated', 'token_rotated'],
    );
    for (const [wrong, says] of [
      [[id, '--overlap-seconds', '604801'], /overlap_seconds/],
      [[id, '--overlap-seconds', 'x'], /overlap_seconds/],
      [[unknownId], /no active token/],
      [['x'], /no active token/],
    ] as const) {
      const refused = await token('rotate', ...wrong);
      assert.equal(refused.code, 1);
      assert.match(refused.stderr, says);
    }
    made(await token('revoke', id));
    assert.equal((await token('rotate', id)).code, 1);
    await until('the last secret to end', async () => !(await works(third)));
  });

  it('org list: prints each organization with its members and active tokens; a revoked token does not count', async () => {
    const counted = async (id: string) => {
      const { code, stdout, stderr } = await commandEnds(['org', 'list'], envOf(stack().databaseUrl));
      assert.equal(code, 0, stderr);
      return (JSON.parse(stdout) as { data: { id: string }[] }).data.find((one) => one.id === id);
    };
    const { stdout } = await commandEnds(['org', 'create', 'Listed'], envOf(stack().databaseUrl));
    const { organization_id: id } = JSON.parse(stdout) as { organization_id: string };
    assert.deepEqual(await counted(id), { id, name: 'Listed', members: 0, tokens: 1 });
    const { id: second } = made(await token('create', '--org', id, '--name', 'second'));
    assert.deepEqual(await counted(id), { id, name: 'Listed', members: 0, tokens: 2 });
    made(await token('revoke', second));
    assert.deepEqual(await counted(id), { id, name: 'Listed', members: 0, tokens: 1 });
  });

  it('as a process: exits with 0 and prints the result, or with 1 and says on stderr what is wrong', async () => {
    const start = async (...args: string[]): Promise<CommandEnded> => {
      const env = { PATH: process.env['PATH'], ...compileCache, ...envOf(stack().databaseUrl) };
      return await run(process.execPath, ['src/cli/main.ts', ...args], { cwd: projectRoot, env }).then(
        (ended) => ({ code: 0, ...ended }),
        (error: unknown) => error as CommandEnded,
      );
    };
    const org = ['--org', stack().organizationId];
    const [listing, refused, incomplete] = await Promise.all([
      start('token', 'list', ...org),
      start('token', 'create', ...org, '--name', 'never made', '--scopes', 'members.manage'),
      start('token', 'create', ...org),
    ]);
    assert.deepEqual([listing.code, listing.stderr], [0, '']);
    // How often the token was used is written later, perhaps between the two lists.
    const steady = (tokens: Listed[]) =>
      tokens.map((one) => ({ ...one, call_count: undefined, last_used_at: undefined }));
    const { data } = JSON.parse(listing.stdout) as { data: Listed[] };
    assert.deepEqual(steady(data), steady(await listed()));
    assert.deepEqual([refused.code, refused.stdout], [1, '']);
    assert.match(refused.stderr, /^scopes/);
    assert.deepEqual([incomplete.code, incomplete.stdout], [1, '']);
    assert.match(incomplete.stderr, /required option '--name <name>' not specified/);
  });

  it('every command of docs/permissions.md that connects by DATABASE_URL refuses to work without it', async () => {
    const page = readFileSync(join(projectRoot, 'docs/permissions.md'), 'utf8');
    const commands = [...page.matchAll(/^\| `npm run parley -- (.+?)` +\| `DATABASE_URL` +\|$/gm)].map(
      ([, name]) => name ?? '',
    );
    assert.ok(commands.length > 15, commands.join('\n'));
    // Values for what a command cannot do without; one that reads a file first gets a file.
    const given: Record<string, string[]> = {
      setup: ['--organization=x', '--email=x@example.com', '--password-file', 'package.json'],
      'org create': ['x'],
      'token create': ['--org', unknownId, '--name', 'x'],
      'token rotate': [unknownId],
      'token list': ['--org', unknownId],
      'token revoke': [unknownId],
      'token delete': [unknownId],
      apply: ['package.json', '--org', unknownId],
      export: ['--org', unknownId],
      'admin reset': ['x@example.com'],
      retention: ['--org', unknownId, '--days', '30'],
      limit: ['--org', unknownId, '--credits', '1'],
      'export-data': ['--org', unknownId],
      'erase conversation': [unknownId, '--org', unknownId],
      'erase contact': [unknownId, '--org', unknownId],
      'erase organization': [unknownId, '--name', 'x'],
      'audit retention': ['--org', unknownId, '--days', '30'],
      'audit export': ['--org', unknownId],
    };
    for (const command of commands) {
      const args = [...command.split(' '), ...(given[command] ?? [])];
      const { code, stderr, stdout } = await commandEnds(args, envOf(undefined));
      assert.deepEqual([code, stdout], [1, ''], command);
      assert.match(stderr, /No database found/, command);
    }
  });
});
