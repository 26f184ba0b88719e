import assert from 'node:assert/strict';
import { basename } from 'node:path';
import { openDesk, startGround, type Desk, type Ground } from './desk.ts';
import { pages, readPage } from './pages.ts';
import { runBlock, type Place } from './run-block.ts';
import { unrunCommands } from './unrun-commands.ts';
import { parts, readConsole, readShell } from './commands.ts';

describe('Every code block of README and docs', () => {
  let ground: Ground | undefined;
  before(async () => {
    ground = await startGround();
  });
  after(async () => {
    await ground?.stop();
  });
  const theGround = () => {
    assert.ok(ground);
    return ground;
  };

  for (const page of pages) {
    describe(page.path, () => {
      let desk: Promise<Desk> | undefined;
      const place: Place = {
        ground: theGround,
        desk: () => (desk ??= openDesk(theGround(), basename(page.path, '.md').toLowerCase())),
        defined: new Set(),
      };
      after(async () => {
        await (await desk)?.close();
      });
      for (const block of page.blocks) {
        it(`${block.place} does what it says (${block.language}, ${block.heading})`, () =>
          runBlock(block, place));
      }
    });
  }

  describe('is checked, so that', () => {
    const place: Place = {
      ground: theGround,
      desk: () => (desk ??= openDesk(theGround(), 'planted')),
      defined: new Set(),
    };
    let desk: Promise<Desk> | undefined;
    after(async () => {
      await (await desk)?.close();
    });
    const planted: [what: string, page: string, says: RegExp][] = [
      [
        'an answer that is not given',
        '```console\n$ curl -sS http://127.0.0.1:3000/healthz\n{"status":"fine"}\n```',
        /this was printed/,
      ],
      ['a call that is refused', '```sh\ncurl -sS http://127.0.0.1:3000/v1/agents\n```', /was refused/],
      ['a command that fails', '```sh\ncurl -sS http://127.0.0.1:9/\n```', /ended with 7/],
      ['a command that nobody looks at', '```sh\nmake install\n```', /neither run nor checked/],
      ['an answer to what is not run', '```console\n$ npm start\nready\n```', /its answer cannot be shown/],
      ['a script that is not there', '```sh\nnpm run nothing\n```', /no script nothing/],
      ['an option that is not there', '```sh\nnpm run test:chaos -- --sed 7\n```', /does not know --sed/],
      ['a setting that is not there', '```sh\nPORTS=1 npm start\n```', /no program reads PORTS/],
      ['a service that is not there', '```sh\ndocker compose exec app ls\n```', /has no app/],
      [
        'JSON that is not of the schema',
        '<!-- test: schema ErrorBody -->\n\n```json\n{"error":"x"}\n```',
        /code/,
      ],
      ['JSON of nothing', '```json\n{}\n```', /say what it is/],
      ['SQL that is refused', '```sql\ncreate tabel x ()\n```', /syntax error/],
      ['a language that nobody looks at', '```cobol\nSTOP RUN.\n```', /Kinds are in/],
      ['a block without a language', '```\nanything\n```', /Kinds are in/],
      [
        'TypeScript whose types do not fit',
        "```ts\nimport { Parley } from '@parley/client';\nnew Parley({ url: '' });\n```",
        /does not exist in type/,
      ],
      ['an excerpt of nothing', '```python\nprint(1)\n```', /stands in no file/],
      [
        'an excerpt in another order than its file',
        "<!-- test: in test/support/until.ts -->\n\n```ts\nexport async function until<T>(\nimport { WorkflowNotFoundError } from '@temporalio/client';\n```",
        /has no line/,
      ],
      ['an address elsewhere', '```sh\ncurl https://example.com\n```', /leave this machine/],
    ];
    for (const [what, markdown, says] of planted) {
      it(`${what} is seen`, async () => {
        const [block] = readPage('docs/planted.md', markdown).blocks;
        assert.ok(block);
        await assert.rejects(() => runBlock(block, place), says);
      });
    }
  });

  it('that defines call() defines it in the same way', () => {
    const definitions = pages.flatMap(({ blocks }) =>
      blocks.flatMap(({ text }) => text.split('\n').filter((line) => line.startsWith('call() {'))),
    );
    assert.ok(definitions.length > 1);
    assert.equal(new Set(definitions).size, 1, definitions.join('\n'));
  });

  it('that is not run belongs to a command that still occurs in a page', () => {
    const commands = pages.flatMap(({ blocks }) =>
      blocks.flatMap(({ language, text }) =>
        language === 'sh' ? readShell(text) : language === 'console' ? readConsole(text) : [],
      ),
    );
    const all = commands.flatMap(({ command }) => parts(command));
    const idle = unrunCommands.filter(({ command }) => !all.some((one) => command.test(one)));
    assert.deepEqual(
      idle.map(({ command }) => command.source),
      [],
    );
  });
});
