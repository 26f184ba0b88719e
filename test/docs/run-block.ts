/** One fenced block: run as its reader would, or checked as openly as it can be. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { readInput } from '../../src/workspace/read-input.ts';
import { findAction } from '../../src/workspace/registry.ts';
import { projectRoot } from '../../src/local/project-root.ts';
import { readCallback } from '../support/receiver.ts';
import { until } from '../support/until.ts';
import { parts, readConsole, readShell, type Shown } from './commands.ts';
import { renderOverlay } from '../support/kustomize.ts';
import { checkComposeOverride } from './compose-override.ts';
import type { Desk, Ground } from './desk.ts';
import { isAnswer, matchAnswer } from './match-answer.ts';
import type { Block } from './pages.ts';
import { namedSchemas } from './named-schemas.ts';
import { checkProgram } from './program-blocks.ts';
import { checkUnrun } from './unrun-commands.ts';

export interface Place {
  ground: () => Ground;
  desk: () => Promise<Desk>;
  /** Functions that a block of the page has defined. */
  defined: Set<string>;
}

/** @throws Error for a block that does not do what the page shows, or of a kind that no check handles */
export async function runBlock(block: Block, place: Place): Promise<void> {
  const { language, directive = '', text } = block;
  const [kind, ...words] = directive.split(' ');
  const run = directive === '' ? byLanguage.get(language) : byDirective.get(`${language} ${kind}`);
  if (run === undefined) {
    const how =
      directive === '' ? 'needs a comment <!-- test: … --> before it' : `has an unknown test: ${directive}`;
    throw new Error(`This block of "${language}" ${how}. Kinds are in test/docs/run-block.ts.`);
  }
  assert.notEqual(text.trim(), '', 'the block is empty');
  await run(block, place, words);
}

type Run = (block: Block, place: Place, words: string[]) => void | Promise<void>;

const byLanguage = new Map<string, Run>([
  ['sh', ({ text }, place) => runCommands(readShell(text), place)],
  ['console', ({ text }, place) => runCommands(readConsole(text), place)],
  ['sql', ({ text }, { ground }) => ground().sql(text)],
  ...['ts', 'python'].map((language): [string, Run] => [
    language,
    ({ text }) => {
      checkProgram(text);
    },
  ]),
  [
    'json',
    ({ place, heading, text }) => {
      assert.match(place, /^docs\/ACTIONS\.md:/, 'say what it is: <!-- test: schema NAME -->');
      const action = findAction(heading);
      assert.ok(action, `there is no action ${heading}`);
      readInput(action, JSON.parse(text));
    },
  ],
]);

const byDirective = new Map<string, Run>([
  // The last callback of the receiver, if the page states that callbacks arrive.
  [
    'json callback',
    async ({ text }, { ground, desk }) => {
      const { callbackPath } = await desk();
      const [last] = (await ground().stack.receiver.waitFor(callbackPath, 1)).slice(-1);
      assert.ok(last);
      readCallback(text);
      matchAnswer(text, last.body);
    },
  ],
  ...['json', 'yaml'].map((language): [string, Run] => [
    `${language} schema`,
    ({ text }, _, [name = '']) => {
      const schema = namedSchemas.get(name);
      assert.ok(schema, `there is no schema ${name} in test/docs/named-schemas.ts`);
      schema.parse(language === 'json' ? JSON.parse(text) : parse(text));
    },
  ]),
  // Reads again until the answer is what the page shows: what the command before it began ends later.
  [
    'console until',
    async ({ text }, { desk }) => {
      for (const { command, answer } of readConsole(text)) {
        assert.match(command, /^call GET /, 'only what reads may be repeated');
        let printed = '';
        await until(
          () => `${command}\nto print ${answer}\nbut it printed ${printed}`,
          async () => {
            printed = (await (await desk()).run(command)).output;
            return isAnswer(answer ?? '', printed);
          },
        );
      }
    },
  ],
  [
    'yaml compose-override',
    ({ text }) => {
      checkComposeOverride(text);
    },
  ],
  [
    'yaml kustomize-overlay',
    async ({ text }) => {
      assert.notDeepEqual(await renderOverlay(text), []);
    },
  ],
  // An excerpt of a file that other tests run: its lines are in the file in this order, others may be between them.
  [
    'ts in',
    ({ text }, _, [path = '']) => {
      const source = readFileSync(join(projectRoot, path), 'utf8').split('\n');
      let from = 0;
      for (const line of text.split('\n')) {
        const at = source.findIndex((one, index) => index >= from && one.includes(line.trim()));
        assert.notEqual(at, -1, `${path} has no line ${line.trim()} after those before it`);
        from = at + 1;
      }
    },
  ],
  // A drawn trace. test/observability/traces.test.ts checks that such traces are recorded.
  [
    'text trace',
    ({ text }) => {
      for (const line of text.split('\n'))
        assert.match(line, /^ *\S.*  \[(api|worker)\]  \+[\d.]+ ms, [\d.]+ ms$/);
    },
  ],
  // For the commands after it.
  ...['json', 'yaml'].map((language): [string, Run] => [
    `${language} file`,
    async ({ text }, { desk }, [name = '']) => {
      writeFileSync(join((await desk()).folder, name), text);
    },
  ]),
]);

async function runCommands(shown: Shown[], place: Place): Promise<void> {
  for (const { command, answer } of shown) {
    const first = /^(?:\w+=\S* +)*(?:for [^;]+; do )?(\w+)/.exec(command)?.[1] ?? '';
    const isFunction = /^\w+\(\) \{/.test(command);
    const onlySets = /^(export )?(\w+=(\$\(.*\)|\S+)\s*)+$/.test(command);
    const isParley = /^npm run (-s )?parley -- /.test(command);
    if (!(isFunction || onlySets || isParley || first === 'curl' || place.defined.has(first))) {
      for (const part of parts(command)) await checkUnrun(part, place.ground);
      assert.equal(answer, undefined, `it is not run, so its answer cannot be shown: ${command}`);
      continue;
    }
    if (isFunction) place.defined.add(first);
    const { output, code } = await (await place.desk()).run(command);
    assert.equal(code, 0, `${command}\nended with ${code}:\n${output}`);
    if (answer !== undefined) matchAnswer(answer, output);
    else assert.doesNotMatch(output, /"code":"\w+"/, `${command}\nwas refused:\n${output}`);
  }
}
