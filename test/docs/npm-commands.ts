/** Commands of npm that a page names: their scripts, settings and options must be there. */
import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../src/local/project-root.ts';
import { knownSettings } from './known-settings.ts';

export const packageFile = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
};

interface Options {
  script: string;
  /** Arguments after `--`. */
  given: string[];
}

/**
 * @returns the options after `--` of `npm run`; undefined if there are none
 * @throws AssertionError if an option does not exist
 */
export function readNpmCommand(command: string): Options | undefined {
  const [, settings = '', verb, name, rest] =
    /^((?:\w+=\S+ +)*)npm (ci|start|test|run (?:-s +)?([\w:]+))(?: +-- +(.+))?$/.exec(command) ?? [];
  assert.ok(verb, `this is no command of npm that a page may have: ${command}`);
  for (const [, setting = ''] of settings.matchAll(/(\w+)=/g))
    assert.ok(knownSettings.has(setting), `no program reads ${setting}`);
  if (verb === 'ci') return undefined;
  const script = name ?? verb;
  assert.ok(packageFile.scripts[script], `package.json has no script ${script}`);
  if (rest === undefined) return undefined;
  const given = rest
    .replaceAll(/[[\]'"…]/g, '')
    .split(/\s+/)
    .filter((word) => word !== '');
  if (packageFile.scripts[script].includes('mocha')) {
    for (const path of given)
      assert.notEqual(globSync(path, { cwd: projectRoot }).length, 0, `no file ${path}`);
    return undefined;
  }
  return { script, given };
}

/**
 * @throws AssertionError if the script's program does not take these options, by parseArgs, commander or its own
 * reading
 */
export function checkOptions({ script, given }: Options): void {
  const program = /node (\S+\.ts)$/.exec(packageFile.scripts[script] ?? '')?.[1] ?? '';
  const path = join(projectRoot, program);
  assert.ok(program !== '' && existsSync(path), `${script} starts no program, so it takes no options`);
  const code = readFileSync(path, 'utf8').replaceAll(/\/\*[^]*?\*\/|^\s*\/\/.*$/gm, '');
  assert.match(code, /\bparseArgs\(|\bnew Command\(|\bprocess\.argv\b/, `${program} takes nothing`);
  for (const [option, name = ''] of given.join(' ').matchAll(/--([\w-]+)/g))
    assert.match(
      code,
      new RegExp(`'${option}\\b|\\b${name}: \\{ type: '`),
      `${program} does not know ${option}`,
    );
}
