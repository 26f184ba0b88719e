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
    z.strictObject({
      environment: z.record(z.string(), z.string()).default({}),
      volumes: z.array(z.string()).default([]),
    }),
  ),
});

/** @throws Error for a service or a setting that is not there, or a file that is not given to the job `secrets` */
export function checkComposeOverride(yaml: string): void {
  const { services } = override.parse(parse(yaml, { merge: true }));
  const compose = readCompose();
  const given = (services['secrets']?.volumes ?? []).map(
    (volume) => /^\.\/[\w.-]+:\/given\/([\w-]+):ro$/.exec(volume)?.[1],
  );
  assert.ok(given.length > 0 && !given.includes(undefined), 'a file is mounted below /given');
  assert.match(compose.services['secrets']?.command?.join('\n') ?? '', /cp -r \/given parley\//);
  for (const [name, { environment }] of Object.entries(services)) {
    assert.ok(compose.services[name], `docker-compose.yml has no service ${name}`);
    for (const [setting, path] of Object.entries(environment)) {
      assert.ok(settingNames.includes(setting.replace(/_FILE$/, '')), `${setting} is no setting`);
      assert.ok(given.includes(path.replace('/secrets/given/', '')), `${path} is not given`);
    }
  }
}
