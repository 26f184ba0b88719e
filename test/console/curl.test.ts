/** The commands that "Copy as curl" gives, run by a shell whose curl prints its arguments. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { Webhook } from 'standardwebhooks';
import { newSigningSecret } from '../../src/adapters/secrets/webhook-signature.ts';
import { curlOf } from '../../src/console/components/curl.ts';

const hostile = JSON.stringify({ response: 'it\'s $HOME `id` \\n " é' }, null, 1);

function argumentsOf(command: string, env: Record<string, string> = {}): string[] {
  const output = execFileSync('sh', ['-c', `curl() { printf '%s\\0' "$@"; }\n${command}`], {
    ...{ encoding: 'utf8' as const, stdio: ['ignore', 'pipe', 'pipe'] as const },
    env: { PATH: process.env['PATH'], ...env },
  });
  return output.split('\0').slice(0, -1);
}

describe('A copied curl command', () => {
  const delivery = { id: crypto.randomUUID(), url: "https://a.example/x?it's=$1", body: hostile };

  it('sends the body and the URL as they are, whatever signs they have', () => {
    const given = argumentsOf(curlOf({ ...delivery, signed: false, resendOf: undefined }));
    assert.deepEqual(given, [
      ...['-sS', '-X', 'POST', delivery.url, '-H', 'Content-Type: application/json'],
      ...['--data-raw', hostile],
    ]);
  });

  it('of a signed delivery has a new signature that verifies, and asks for the secret', () => {
    const secret = newSigningSecret();
    const command = curlOf({ ...delivery, signed: true, resendOf: 'first' });
    const given = argumentsOf(command, { WEBHOOK_SECRET: secret });
    const headers = Object.fromEntries(
      given.flatMap((one, index) => (given[index - 1] === '-H' ? [one.split(/: (.*)/s)] : [])),
    ) as Record<string, string>;
    assert.equal(headers['webhook-id'], delivery.id);
    assert.equal(headers['parley-resend-of'], 'first');
    assert.equal(given.at(-1), hostile);
    new Webhook(secret).verify(hostile, headers);
    assert.throws(() => argumentsOf(command), /Set it to the signing secret of the endpoint/);
  });
});
