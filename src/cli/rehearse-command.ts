/** `npm run parley -- rehearse`: starts a rehearsal over the API, waits for its end, and fails if it did not pass. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import type { z } from 'zod';
import { errorBody } from '../contract/errors.ts';
import { rehearsal, type StartRehearsal } from '../contract/rehearsals/rehearsals.ts';
import type { CommandContext } from './command-context.ts';

interface RehearseOptions {
  url: string;
  draft?: true;
  version?: string;
  model?: string;
  testSet?: true;
  turns?: string;
  runReadOnlyTools?: true;
}

const pollMs = 1000;
const callTimeoutMs = 30_000;

export function addRehearseCommand(program: Command, { env, print, fail }: CommandContext): void {
  program
    .command('rehearse <agent>')
    .description(
      'asks recorded turns of an agent again and prints how the answers differ; PARLEY_TOKEN holds an API token. Exit code 1 if it does not pass',
    )
    .option('--url <url>', 'address of the API', 'http://127.0.0.1:3000')
    .option('--draft', 'rehearse the draft')
    .option('--version <number>', 'rehearse this version; by default the published one')
    .option('--model <provider/name>', 'ask another model')
    .option('--test-set', 'ask the turns of the test set instead of the newest')
    .option('--turns <number>', 'ask at most so many turns')
    .option('--run-read-only-tools', 'run tools that only read, if a call has no recorded result')
    .action(async (agent: string, { url, ...options }: RehearseOptions) => {
      const token = env['PARLEY_TOKEN'];
      if (token === undefined) throw new Error('Set PARLEY_TOKEN to an API token.');
      if (options.draft === true && options.version !== undefined)
        throw new Error('Give --draft or --version, not both.');
      const path = `${url.replace(/\/$/, '')}/v1/agents/${encodeURIComponent(agent)}/rehearsals`;
      const call = callOf(token);
      let now = await call(rehearsal, 'POST', path, formOf(options));
      while (now.status === 'running') {
        await sleep(pollMs);
        now = await call(rehearsal, 'GET', `${path}/${now.id}`);
      }
      print(now);
      if (!now.passed) fail();
    });
}

function formOf(options: Omit<RehearseOptions, 'url'>): StartRehearsal {
  const { draft, version, model, testSet, turns, runReadOnlyTools } = options;
  return {
    ...(draft === true && { version: 'draft' as const }),
    ...(version !== undefined && { version: Number(version) }),
    ...(model !== undefined && { model }),
    ...(testSet === true && { source: 'test_set' as const }),
    ...(turns !== undefined && { max_turns: Number(turns) }),
    ...(runReadOnlyTools === true && { run_read_only_tools: true }),
  };
}

function callOf(token: string) {
  return async <S extends z.ZodType>(
    schema: S,
    method: string,
    url: string,
    body?: object,
  ): Promise<z.output<S>> => {
    const answer = await fetch(url, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(callTimeoutMs),
    });
    const given: unknown = await answer.json();
    if (answer.ok) return schema.parse(given);
    const { error, details = [] } = errorBody.parse(given);
    throw new Error([error, ...details.map(({ path, message }) => `${path} ${message}`)].join('\n'));
  };
}
