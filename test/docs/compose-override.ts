/** A docker-compose.override.yml that a page shows, on the docker-compose.yml that is there. */
import assert from 'node:assert/strict';
import { parse } from 'yaml';
import { z } from 'zod';
import { settingNames } from '../../src/config.ts';
import { readCompose } from '../deploy/compose-file.ts';

const override = z.strictObject({
  'x-key': z.unknown(),
  services: z.record(
    z.string(),
    z.strictObject({ environment: z.record(z.string(), z.string()), secrets: z.array(z.string()) }),
  ),
  secrets: z.record(z.string(), z.strictObject({ file: z.string() })),
});

/** @throws Error for a service or a setting that is not there, or a secret that is not given */
export function checkComposeOverride(yaml: string): void {
  const { services, secrets } = override.parse(parse(yaml, { merge: true }));
  const compose = readCompose();
  for (const [name, { environment, secrets: given }] of Object.entries(services)) {
    assert.ok(compose.services[name], `docker-compose.yml has no service ${name}`);
    for (const secret of given) assert.ok(secrets[secret], `${secret} is no secret of this file`);
    for (const [setting, path] of Object.entries(environment)) {
      assert.ok(settingNames.includes(setting.replace(/_FILE$/, '')), `${setting} is no setting`);
      assert.ok(given.includes(path.replace('/run/secrets/', '')), `${path} is no secret of ${name}`);
    }
  }
}
