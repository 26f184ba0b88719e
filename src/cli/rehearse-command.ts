/** `npm run parley -- rehearse`: starts a rehearsal over the API, waits for its end, and fails if it did not pass. */
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { parse } from 'yaml';
import type { z } from 'zod';
import { errorBody } from '../contract/errors.ts';
import { pageOf } from '../contract/page.ts';
import {
  rehearsal,
  rehearsalTurn,
  startRehearsal,
  turnOutcome,
  type Rehearsal,
  type RehearsalTurn,
  type StartRehearsal,
} from '../contract/rehearsals/rehearsals.ts';
import { valid, type CommandContext } from './command-context.ts';

interface RehearseOptions {
  url: string;
  draft?: true;
  version?: string;
  model?: string;
  testSet?: true;
  turns?: string;
  runReadOnlyTools?: true;
  checks?: string;
}

/** Milliseconds between two polls of the rehearsal. Chosen. */
const pollMs = 1000;
/** Timeout of one call of the API, in milliseconds. Chosen. */
const callTimeoutMs = 30_000;
/** Maximum number of turns whose reasons for not passing are printed. Chosen. */
const maxReasons = 20;

export function addRehearseCommand(program: Command, { env, stderr, print, fail }: CommandContext): void {
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
    .option('--checks <file>', 'YAML with rules, accepts and judge, as the API takes them')
    .action(async (agent: string, { url, ...options }: RehearseOptions) => {
      const token = env['PARLEY_TOKEN'];
      if (token === undefined) throw new Error('Set PARLEY_TOKEN to an API token.');
      if (options.draft === true && options.version !== undefined)
        throw new Error('Give --draft or --version, not both.');
      const path = `${url.replace(/\/$/, '')}/v1/agents/${encodeURIComponent(agent)}/rehearsals`;
      const call = callOf(token);
      const checks = options.checks === undefined ? {} : await readChecks(options.checks);
      let now = await call(rehearsal, 'POST', path, { ...formOf(options), ...checks });
      while (now.status === 'running') {
        await sleep(pollMs);
        now = await call(rehearsal, 'GET', `${path}/${now.id}`);
      }
      print(now);
      if (now.passed) return;
      fail();
      const turns: RehearsalTurn[] = [];
      for (let cursor: string | null = ''; cursor !== null && turns.length < maxReasons;) {
        const at: string = cursor === '' ? '' : `&cursor=${cursor}`;
        const page = await call(pageOf(rehearsalTurn), 'GET', `${path}/${now.id}/turns?limit=100${at}`);
        turns.push(...page.data.filter(({ passed }) => passed === false));
        cursor = page.next_cursor;
      }
      stderr.write(`${reasons(now, turns.slice(0, maxReasons)).join('\n')}\n`);
    });
}

const checksForm = startRehearsal.pick({ rules: true, accepts: true, judge: true });

/** Reads the checks from a YAML file. @throws Error if the file cannot be read, or does not match `checksForm` */
async function readChecks(file: string): Promise<z.infer<typeof checksForm>> {
  const given: unknown = parse(await readFile(file, 'utf8'));
  return valid(checksForm, given, (path, message) => `${file}: ${path} ${message}`);
}

/** @returns lines that say why a rehearsal did not pass: its status, the counts of its outcomes, and a line per turn */
function reasons(ended: Rehearsal, turns: readonly RehearsalTurn[]): string[] {
  const { status, error, turns: all, done, passed_turns: passed, outcomes } = ended;
  const counts = turnOutcome.options.filter((outcome) => outcomes[outcome] > 0);
  return [
    ...(status === 'completed'
      ? []
      : [`The rehearsal is ${status}.${error === undefined ? '' : ` ${error}`}`]),
    `${done - passed} of ${done} turns ${done - passed === 1 ? 'does' : 'do'} not pass${done < all ? `, ${all - done} were not asked` : ''}: ${counts.map((outcome) => `${outcomes[outcome]} ${outcome}`).join(', ')}.`,
    ...turns.map(({ position, conversation_id, outcome, diverged, error: why, broken_rules, judgement }) =>
      [
        `turn ${position} of conversation ${conversation_id}: ${outcome ?? 'not asked'}`,
        ...(diverged ? ['stopped at a call without a recorded result'] : []),
        ...broken_rules.map((index) => `breaks rule ${index}`),
        ...(judgement ? [`${judgement.verdict}: ${judgement.reason}`] : []),
        ...(why === undefined ? [] : [why]),
      ].join('; '),
    ),
  ];
}

function formOf(options: Omit<RehearseOptions, 'url' | 'checks'>): StartRehearsal {
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
