import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../src/config.ts';
import { readLocalSettings } from '../src/local/settings.ts';
import { StartProblem } from '../src/local/start-problem.ts';

describe('A setting by file', () => {
  let folder: string;
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'parley-settings-'));
  });
  after(() => {
    rmSync(folder, { recursive: true });
  });

  it('is what the file holds, less the line break at its end', () => {
    const config = readConfig({
      NODE_ENV: 'production',
      DATABASE_URL_FILE: file('url', 'postgres://a:b@c/d\n'),
      ENCRYPTION_KEY_FILE: file('key', 'secret'),
      OPENAI_API_KEY_FILE: file('model', ' spaces stay \r\n'),
      PORT_FILE: file('port', '4000\n'),
    });
    assert.equal(config.DATABASE_URL, 'postgres://a:b@c/d');
    assert.equal(config.ENCRYPTION_KEY, 'secret');
    assert.equal(config.OPENAI_API_KEY, ' spaces stay ');
    assert.equal(config.PORT, 4000);
  });

  it('serves npm start too, whose API and worker get the setting itself', () => {
    const path = file('url', 'postgres://a:b@c/d\n');
    const { DATABASE_URL, inherited } = readLocalSettings({ DATABASE_URL_FILE: path });
    assert.equal(DATABASE_URL, 'postgres://a:b@c/d');
    assert.equal(inherited['DATABASE_URL_FILE'], undefined);
    assert.throws(() => readLocalSettings({ DATABASE_URL_FILE: '/nowhere' }), StartProblem);
  });

  it('is refused beside the setting itself', () => {
    assert.throws(
      () => readConfig({ DATABASE_URL: 'postgres://x', DATABASE_URL_FILE: file('url', 'postgres://y') }),
      /^Error: Set DATABASE_URL or DATABASE_URL_FILE, not both\.$/,
    );
  });

  it('is refused by name if the file cannot be read', () => {
    const path = join(folder, 'missing');
    assert.throws(
      () => readConfig({ DATABASE_URL_FILE: path }),
      new RegExp(`^Error: DATABASE_URL_FILE names ${path}, which cannot be read\\.$`),
    );
  });

  it("is validated like the setting, and the error does not contain the file's content", () => {
    const url = { DATABASE_URL: 'postgres://x' };
    assert.throws(
      () => readConfig({ ...url, PORT_FILE: file('port', 'hunter2') }),
      (error: Error) => {
        assert.match(error.message, /PORT: /);
        assert.doesNotMatch(error.message, /hunter2/);
        return true;
      },
    );
  });
});

describe('A port of the settings', () => {
  it('that is none is refused with a sentence that says what it must be', () => {
    for (const wrong of ['many', '1.5', '-1', '65536'])
      for (const read of [
        () => readConfig({ DATABASE_URL: 'postgres://a@b/c', PORT: wrong }),
        () => readLocalSettings({ PORT: wrong }),
      ])
        assert.throws(read, /^[^]*PORT: must be a port: a whole number from 0 to 65535$/m, wrong);
  });
});
