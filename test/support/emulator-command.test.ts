/** The two emulators as a person starts them. */
import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { freePort } from '../../src/local/ports.ts';
import { projectRoot } from '../../src/local/project-root.ts';

const programs = {
  workspace: 'test/support/workspace/main.ts',
  gateway: 'test/support/gateway/run-emulator.ts',
};

async function listening(): Promise<{ server: Server; port: number }> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, port: (server.address() as AddressInfo).port };
}

for (const [name, program] of Object.entries(programs)) {
  describe(`npm run emulator:${name}`, () => {
    const started: ChildProcess[] = [];
    const run = (...given: string[]) => {
      const child = spawn(process.execPath, [program, ...given], { cwd: projectRoot });
      started.push(child);
      return child;
    };
    const refusal = async (...given: string[]) => {
      const child = run(...given);
      const [words] = await Promise.all([text(child.stderr), once(child, 'exit')]);
      return { words, code: child.exitCode };
    };
    after(() => {
      for (const child of started) child.kill('SIGKILL');
    });

    for (const [title, given] of [
      ['a plain argument', (port: number) => [String(port)]],
      ['--port', (port: number) => ['--port', String(port)]],
    ] as const)
      it(`takes the port as ${title}, and ends at SIGTERM`, async () => {
        const port = await freePort();
        const child = run(...given(port));
        let printed = '';
        for await (const chunk of child.stdout) {
          printed += String(chunk);
          if (printed.includes('Ctrl+C')) break;
        }
        assert.ok(printed.includes(`http://127.0.0.1:${port}`), printed);
        assert.ok((await fetch(`http://127.0.0.1:${port}/v1/users/me`)).status > 0);
        child.kill('SIGTERM');
        assert.deepEqual(await once(child, 'exit'), [0, null]);
      });

    it('refuses what is no port, with the usage', async () => {
      for (const given of [['abc'], ['99999'], ['--port', '-1'], ['1', '2', '3'], ['--prot', '1']]) {
        const { words, code } = await refusal(...given);
        assert.equal(code, 2, given.join(' '));
        assert.match(words, new RegExp(`usage: npm run emulator:${name} -- \\[port\\]`));
      }
    });

    it('prints that a port is in use', async () => {
      const { server, port } = await listening();
      const { words, code } = await refusal(String(port));
      server.close();
      assert.deepEqual(
        [code, words.trim()],
        [1, `Port ${port} is in use. Give another one as the first argument.`],
      );
    });
  });
}
