/** @parley/client as a package: packed, installed in an empty folder without a network, type-checked, run. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import ts from 'typescript';
import { projectRoot } from '../../src/local/project-root.ts';
import { useSharedStack } from '../support/stack.ts';

const run = promisify(execFile);

const app = `import { answer, Parley } from '@parley/client';
const parley = new Parley({ baseUrl: process.argv[2] ?? '', token: process.argv[3] ?? '' });
const { id } = await answer(parley.api.POST('/agents', { body: { name: 'Packed', script: [{ reply: 'packed' }] } }));
const said = await parley.ask(id, { message: 'Hello' });
console.log(said.response);
`;
/** Each line after the first two is wrong. */
const wrong = `import { answer, Parley, readCallback } from '@parley/client';
const parley = new Parley({ baseUrl: '', token: '' });
void new Parley({ baseUrl: '' });
void parley.send('id', { mesage: 'Hello' });
void parley.send('id', { message: 17 });
void parley.send('id', { message: 'Hello', sync: true });
void parley.send('id', { message: 'Hello', contact: { name: 'no id' } });
void parley.api.GET('/agent');
void parley.api.GET('/agents/{id}');
void parley.api.DELETE('/agents');
void parley.api.POST('/agents', { body: { active: true } });
void parley.api.PATCH('/agents/{id}', { params: { path: { id: '' } }, body: { input_during_run: 'later' } });
void parley.api.GET('/deliveries', { params: { query: { status: 'lost' } } });
void answer(parley.api.GET('/agents')).then(({ data }) => data.map(({ title }) => title));
void parley.ask('id', { message: '' }).then(({ message_id }) => message_id.length);
for await (const told of parley.stream('id', { message: '' })) if (told.event === 'accepted') told.data.text;
for await (const told of parley.stream('id', { message: '' })) if (told.event === 'begun') void told;
for await (const one of parley.messages('id')) one.delivery;
void readCallback('')?.response;
`;

describe('The package of the client', () => {
  const stack = useSharedStack();
  let folder: string;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'parley-client-'));
    const packed = (...more: string[]) =>
      run('npm', ['pack', '--silent', '--pack-destination', folder, ...more], { cwd: projectRoot });
    await packed('./src/client');
    const needed = ['openapi-fetch', 'openapi-typescript-helpers', 'eventsource-parser'];
    await packed('--ignore-scripts', ...needed.map((name) => `./node_modules/${name}`));
    writeFileSync(join(folder, 'package.json'), '{"type":"module","private":true}');
    const tarballs = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
    assert.equal(tarballs.length, 4);
    const flags = ['--offline', '--ignore-scripts', '--no-audit', '--no-fund', '--silent'];
    await run('npm', ['install', ...flags, ...tarballs.map((name) => `./${name}`)], { cwd: folder });
    writeFileSync(join(folder, 'app.mts'), app);
    writeFileSync(join(folder, 'wrong.mts'), wrong);
  });
  after(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it('installs in an empty folder, and runs', async () => {
    const { stdout } = await run(process.execPath, ['app.mts', stack().apiUrl, stack().token], {
      cwd: folder,
    });
    assert.equal(stdout, 'packed\n');
  });

  it('rejects at compile time what the API would refuse, and nothing else', () => {
    const program = ts.createProgram([join(folder, 'app.mts'), join(folder, 'wrong.mts')], {
      target: ts.ScriptTarget.ES2023,
      module: ts.ModuleKind.NodeNext,
      lib: ['lib.es2023.d.ts', 'lib.dom.d.ts'],
      types: ['node'],
      typeRoots: [join(projectRoot, 'node_modules/@types')],
      strict: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
      // Those of the packages it needs are their own affair.
      skipLibCheck: true,
    });
    const errors = ts.getPreEmitDiagnostics(program).map(({ file, start = 0, messageText }) => ({
      file: file?.fileName.split('/').at(-1),
      line: file?.getLineAndCharacterOfPosition(start).line ?? -1,
      text: ts.flattenDiagnosticMessageText(messageText, '\n'),
    }));
    assert.deepEqual(
      errors.filter(({ file }) => file !== 'wrong.mts'),
      [],
    );
    const lines = wrong.trimEnd().split('\n');
    const missed = lines.filter((_, index) => index > 1 && !errors.some(({ line }) => line === index));
    assert.deepEqual(missed, []);
    assert.deepEqual(
      errors.filter(({ line }) => line < 2),
      [],
    );
  });
});
