/** The commands of README and docs that a test cannot run, why, and what of them is checked instead. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { projectRoot } from '../../src/local/project-root.ts';
import { readCompose } from '../deploy/compose-file.ts';
import type { Ground } from './desk.ts';
import { checkOptions, packageFile, readNpmCommand } from './npm-commands.ts';

export interface Unrun {
  command: RegExp;
  why: string;
  /** Checks the command without running it. @throws AssertionError */
  check: (command: string, ground: () => Ground) => void | Promise<void>;
}

const checkNpm = (command: string): void => {
  const options = readNpmCommand(command);
  if (options !== undefined) checkOptions(options);
};
const exists = (path: string) => {
  assert.ok(existsSync(join(projectRoot, path)), `there is no ${path}`);
};

export const unrunCommands: readonly Unrun[] = [
  {
    command: /^npm ci$/,
    why: 'it downloads every package; .ci/run does it before all tests',
    check: () => {
      const lock = JSON.parse(readFileSync(join(projectRoot, 'package-lock.json'), 'utf8')) as {
        packages: Record<string, Partial<typeof packageFile>>;
      };
      const { dependencies, devDependencies } = lock.packages[''] ?? {};
      const { dependencies: wanted, devDependencies: wantedDev } = packageFile;
      assert.ok(
        isDeepStrictEqual([dependencies, devDependencies], [wanted, wantedDev]),
        'npm ci would refuse',
      );
    },
  },
  {
    command: /^(\w+=\S+ )*npm start$/,
    why: 'it runs until it is stopped; test/e2e/npm-start.test.ts runs it and pastes its curl line',
    check: checkNpm,
  },
  {
    command: /^npx node examples\/[\w-]+\.ts$/,
    why: 'it runs until it is stopped; test/docs/desk.ts starts it, and test/examples tests it',
    check: (command) => {
      exists(command.split(' ').at(-1) ?? '');
    },
  },
  { command: /^npm test$/, why: 'this test is part of it', check: checkNpm },
  {
    command: /^(\w+=\S+ )*npm run (?!.*parley)\S+/,
    why: 'it measures or breaks things for minutes, keeps running, or writes files of the project',
    check: checkNpm,
  },
  {
    command: /^docker compose (up|exec|down|logs|run|restart) /,
    why: 'not every machine has a container engine; test/deploy/compose.test.ts judges the file, and npm run test:compose starts it',
    check: (command) => {
      const { services } = readCompose();
      const [, verb = '', rest = ''] = /^docker compose (\w+) (.*)$/.exec(command) ?? [];
      const words = rest.replaceAll(/--entrypoint '[^']*' |-e \S+ |--?(?:rm|no-deps|T)\b /g, '');
      const named = verb === 'up' ? [...rest.matchAll(/--scale (\w+)=\d+/g)] : [/^()(\w+)/.exec(words) ?? []];
      for (const match of named)
        assert.ok(services[match.at(-1) ?? ''], `docker-compose.yml has no ${match.at(-1)}`);
      for (const [option] of rest.matchAll(/--[\w-]+/g))
        assert.match(option, /^--(build|wait|scale|force-recreate|rm|no-deps|entrypoint)$/);
    },
  },
  {
    command: /^docker build /,
    why: 'not every machine has a container engine',
    check: (command) => {
      exists(/-f (\S+)/.exec(command)?.[1] ?? 'file after -f');
      const { services } = readCompose();
      assert.equal(/-t (\S+)/.exec(command)?.[1], services['api']?.image);
    },
  },
  {
    command: /^kubectl /,
    why: 'it needs a cluster; test/deploy/kubernetes.test.ts judges the manifests, and kubernetes-overlay.test.ts an overlay',
    check: (command) => {
      // The overlay is the reader's own: test/docs/kustomize-overlay.ts renders what the page shows of it.
      for (const [, path = ''] of command.matchAll(/ -[fk] (\S+)/g)) if (path !== 'overlay') exists(path);
      const folder = join(projectRoot, 'src/deploy/kubernetes');
      const manifests = readdirSync(folder).flatMap((file) =>
        parseAllDocuments(readFileSync(join(folder, file), 'utf8')).map((one) => JSON.stringify(one.toJS())),
      );
      const [, kind, name] = / (job)\/(\S+)/.exec(command) ?? [];
      const job = manifests.some((one) => one.includes(`"kind":"Job"`) && one.includes(`"name":"${name}"`));
      assert.ok(kind === undefined || job, `there is no ${kind}/${name}`);
      for (const [, key] of command.matchAll(/--from-file=(\S+)/g))
        assert.match(
          manifests.join(''),
          new RegExp(`[/"]${key}"`),
          `no manifest reads the key ${key} of the secret`,
        );
    },
  },
  {
    command: /^(pg_dump|pg_restore) /,
    why: "programs of the server's own version are not on every machine; test/e2e/lost-temporal.test.ts restores a copy",
    check: (command) => {
      const known = ['--format=custom', '--file=', '--no-owner', '--dbname='];
      for (const [option] of command.matchAll(/--\S+/g))
        assert.ok(
          known.some((one) => option.startsWith(one)),
          `is ${option} an option of it? Look, and add it here`,
        );
    },
  },
  {
    command: /^promtool check (rules|config) /,
    why: 'Prometheus is not on every machine; test/observability/alerts.test.ts reads the files by its grammar',
    check: (command) => {
      exists(command.split(' ').at(-1) ?? '');
    },
  },
  {
    command: /^psql .* -c '[^']+'$/,
    why: 'psql is not on every machine; its statement is run as any other',
    check: (command, ground) => ground().sql(/ -c '([^']+)'/.exec(command)?.[1] ?? ''),
  },
];

/** @throws AssertionError for a command that is neither run nor in the list above */
export async function checkUnrun(command: string, ground: () => Ground): Promise<Unrun> {
  const found = unrunCommands.find((one) => one.command.test(command));
  assert.ok(found, `This command is neither run nor checked: ${command}\nSee test/docs/unrun-commands.ts.`);
  await found.check(command, ground);
  return found;
}
