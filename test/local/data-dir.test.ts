import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lockDataDir, openDataDir, writePrivately } from '../../src/local/data-dir.ts';
import { endLeftBehind, recordedPid, recordPid } from '../../src/local/left-behind.ts';
import { isAlive } from '../../src/local/processes.ts';
import { openSecrets, saveSecrets } from '../../src/local/secrets.ts';
import { allGone, endCopies, freshFolder } from '../support/local-copy.ts';

const sleeper = () => spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });

describe('DATA_DIR', () => {
  afterEach(endCopies);

  it('is held by one process at a time', () => {
    const folder = freshFolder();
    const other = sleeper();
    recordPid(join(folder, 'lock'), other.pid!);
    assert.throws(() => lockDataDir(folder), new RegExp(`already running .*process ${other.pid}`));
    other.kill('SIGKILL');
  });

  it('is taken over from a holder that is gone, and given back', async () => {
    const folder = freshFolder();
    const other = sleeper();
    recordPid(join(folder, 'lock'), other.pid!);
    other.kill('SIGKILL');
    await allGone([other.pid!]);
    const unlock = lockDataDir(folder);
    assert.equal(recordedPid(join(folder, 'lock')), process.pid);
    unlock();
    assert.equal(existsSync(join(folder, 'lock')), false);
  });

  it('is taken over if the id of the holder belongs to another process by now', () => {
    const folder = freshFolder();
    writeFileSync(join(folder, 'lock'), JSON.stringify({ pid: process.ppid, identity: 'of an earlier one' }));
    lockDataDir(folder)();
  });

  it('is taken over if the lock was written only in part', () => {
    const folder = freshFolder();
    writeFileSync(join(folder, 'lock'), '{"pid":');
    lockDataDir(folder)();
  });

  it('ends what an earlier start left behind, and nothing that merely has its id', async () => {
    const folder = freshFolder();
    const [mine, other] = [sleeper(), sleeper()];
    recordPid(join(folder, 'worker'), mine.pid!);
    writeFileSync(join(folder, 'api'), JSON.stringify({ pid: other.pid, identity: 'of an earlier one' }));
    assert.deepEqual(await endLeftBehind(folder), ['worker']);
    await allGone([mine.pid!]);
    assert.ok(isAlive(other.pid!));
    other.kill('SIGKILL');
  });

  it('keeps its secrets from one start to the next, for its owner alone', () => {
    const folder = openDataDir(join(freshFolder(), 'data'));
    const made = openSecrets(folder);
    const first = { organization_id: 'o', token: 't', agent_id: 'a' };
    assert.equal(Buffer.from(made.encryption_key, 'base64').length, 32);
    assert.equal(statSync(join(folder, 'secrets.json')).mode & 0o777, 0o600);
    saveSecrets(folder, { ...made, first });
    assert.deepEqual(openSecrets(folder), { ...made, first });
  });

  it('does not replace damaged secrets by new ones: what they encrypted would be lost', () => {
    const folder = freshFolder();
    writePrivately(join(folder, 'secrets.json'), '{"encryption_key"');
    assert.throws(() => openSecrets(folder), /secrets.json is damaged/);
    assert.equal(readFileSync(join(folder, 'secrets.json'), 'utf8'), '{"encryption_key"');
    rmSync(join(folder, 'secrets.json'));
  });
});
