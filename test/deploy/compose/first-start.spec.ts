/**
 * Postgres of docker-compose.yml, killed at many moments of its first start: the next `up` has its users and databases.
 */
import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { until } from '../../support/until.ts';
import { ComposeProject } from './compose-project.ts';

/** Between the moments of two kills. A first start takes 3 to 10 s. */
const stepMs = Number(process.env['KILL_STEP_MS'] ?? 700);
const kills = Number(process.env['KILLS'] ?? 12);

describe('The first start of Postgres', function () {
  this.timeout(1_200_000);
  const project = new ComposeProject(`parley-first-start-${process.pid}`);
  after(async () => {
    await project.remove();
  });

  for (let moment = 0; moment < kills; moment += 1) {
    const ms = moment * stepMs;
    it(`killed ${ms} ms after its container began: the next start has its users and databases`, async () => {
      await project.remove();
      const first = project.compose('up', '--detach', '--no-build', 'roles');
      await until('its container', () => project.running('postgres'));
      await delay(ms);
      await project.kill('postgres');
      await project.kill('roles');
      await first;
      await project.must(
        'up',
        '--detach',
        '--no-build',
        '--wait',
        '--wait-timeout',
        '180',
        'postgres',
        'roles',
      );
      for (const [user, database] of [
        ['parley', 'parley'],
        ['temporal', 'temporal'],
        ['temporal', 'temporal_visibility'],
      ]) {
        const signIn = `PGPASSWORD="$(cat /secrets/${user}-password)" psql -qAt -h "$HOSTNAME" -U ${user} -d ${database} -c 'select current_user'`;
        const { code, output } = await project.compose('exec', '-T', 'postgres', 'bash', '-c', signIn);
        assert.deepEqual([code, output.trim()], [0, user], `${user} in ${database}: ${output}`);
      }
    });
  }
});
