import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../src/local/ports.ts';
import { isAlive } from '../../src/local/processes.ts';
import {
  allGone,
  endCopies,
  freshFolder,
  idOf,
  idsOf,
  killPart,
  startCopy,
  type LocalCopy,
} from '../support/local-copy.ts';
import { until } from '../support/until.ts';

const npmStart = (dataDir: string, env: NodeJS.ProcessEnv) =>
  startCopy(dataDir, env, ['npm', 'start', '--silent']);

/** Runs the banner's command unchanged, as someone who pastes it. @returns the id of the conversation */
function paste(copy: LocalCopy): string {
  const command = /^curl .*$/m.exec(copy.output())![0];
  const answer = execFileSync('/bin/sh', ['-c', command], { encoding: 'utf8' });
  const { status, conversation_id } = JSON.parse(answer) as { status: string; conversation_id: string };
  assert.equal(status, 'processing');
  return conversation_id;
}

const callbackOf = (copy: LocalCopy, conversation: string) =>
  until(`the callback of ${conversation}`, () =>
    copy
      .output()
      .split('callback received: ')
      .find((part) => part.includes(conversation) && part.includes('message.completed')),
  );

describe('npm start', () => {
  afterEach(endCopies);

  it('starts from nothing, answers a message, and survives a kill of every process', async () => {
    const folder = join(freshFolder(), 'data');
    const env = { PORT: String(await freePort()) };
    const first = npmStart(folder, env);
    const running = await first.ready();
    assert.equal(running.origin, `http://127.0.0.1:${env.PORT}`);
    assert.equal(statSync(join(folder, 'running.json')).mode & 0o777, 0o600);
    assert.match(await callbackOf(first, paste(first)), /"response": "You wrote: Hello!"/);
    const { email, password } = running.console;
    assert.ok(first.output().includes(email) && first.output().includes(password));
    const signIn = await fetch(`${running.origin}/console/api/sign-in`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password }),
    });
    assert.equal(signIn.status, 204);

    for (const name of ['api', 'worker', 'temporal', 'postgres'] as const) {
      await idOf(first, name, await killPart(first, name));
      await first.ready();
      await callbackOf(first, paste(first));
    }

    const before = first.running()!;
    process.kill(before.processes.supervisor, 'SIGKILL');
    await first.exited;
    const second = npmStart(folder, env);
    const after = await second.ready();
    await allGone(idsOf(before));
    assert.equal(after.token, before.token);
    assert.equal(after.organization_id, before.organization_id);
    await callbackOf(second, paste(second));

    second.child.kill('SIGTERM');
    assert.deepEqual(await second.exited, { code: 0, signal: null });
    await allGone(idsOf(after));

    const third = npmStart(folder, env);
    const last = await third.ready();
    assert.equal(last.token, before.token);
    // To npm and everything below it, twice, as an impatient Ctrl-C does.
    for (const signal of ['SIGINT', 'SIGINT'] as const) process.kill(-third.child.pid!, signal);
    assert.equal((await third.exited).code, 0);
    assert.ok(!idsOf(last).some(isAlive));
  });
});
