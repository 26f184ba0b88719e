import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readConfig, settingNames } from '../../src/config.ts';
import { projectRoot } from '../../src/local/project-root.ts';
import { localSettingNames, readLocalSettings } from '../../src/local/settings.ts';
import { composeDefaults, knownSettings } from './known-settings.ts';

/** The defaults of a program, as the page would write them. */
const defaults = new Map<string, string>([
  ...Object.entries(composeDefaults).filter(([name]) => !settingNames.includes(name)),
  ...Object.entries(readLocalSettings({})).map(([name, value]) => [name, written(value)] as const),
  ...Object.entries(readConfig({ DATABASE_URL: 'required' })).map(
    ([name, value]) => [name, written(value)] as const,
  ),
  ['DATABASE_URL', ''],
]);

function written(value: unknown): string {
  if (Array.isArray(value)) return value.join(',');
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : '';
}

describe('docs/settings.md', () => {
  const page = readFileSync(join(projectRoot, 'docs/settings.md'), 'utf8');
  const rows = [...page.matchAll(/^\| `(\w+)` +\| *(.*?) *\| *(.*?) *\|$/gm)].map(
    ([, name = '', byDefault = '']) => ({
      name,
      byDefault,
    }),
  );
  const named = rows.map(({ name }) => name);

  it('has every setting of the API, the worker, npm start and the compose file, once', () => {
    assert.deepEqual(named, [...new Set(named)]);
    const wanted = new Set([...settingNames, ...localSettingNames, ...Object.keys(composeDefaults)]);
    assert.deepEqual(
      [...wanted].filter((name) => !named.includes(name)),
      [],
    );
    assert.deepEqual(
      named.filter((name) => !knownSettings.has(name)),
      [],
    );
  });

  it('has the defaults of the code', () => {
    for (const { name, byDefault } of rows) assert.equal(byDefault, defaults.get(name) ?? '', name);
  });
});
