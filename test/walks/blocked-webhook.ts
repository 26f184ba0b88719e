/** A callback to a receiver on this computer is blocked, and allowed as the screen says. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { startReceiver } from '../support/receiver.ts';
import { signIn, type Walk } from './walk.ts';

const run = promisify(execFile);

export const blockedWebhook: Walk = {
  name: 'blocked-webhook',
  who: 'an engineer',
  goal: 'a callback to a receiver on localhost is blocked, allowed as the screen says, and arrives',
  max: { seconds: 180, clicks: 12 },
  async play(begin) {
    const receiver = await startReceiver();
    const start = await begin();
    const { walker, copy } = start;
    const { page } = walker;
    await signIn(start);
    // In a terminal: the printed call, with the webhook changed to a receiver of theirs.
    const printed = /^curl .*$/m.exec(copy.output())?.[0] ?? '';
    const url = receiver.url('/answers').replace('127.0.0.1', 'localhost');
    const command = printed.replace(/("webhook_url":")[^"]+/, `$1${url}`);
    assert.ok(command.includes(url), `no webhook in the printed call: ${printed}`);
    await run('sh', ['-c', command]);
    walker.copy();
    walker.effort.keys += url.length + 1;

    await walker.link('Deliveries');
    const row = page.getByRole('row').filter({ hasText: 'Blocked' });
    await walker.see('deliveries', row);
    await walker.click(row.getByRole('link').first());
    const detail = page.getByRole('region', { name: 'Delivery' });
    const allow = detail.getByRole('button', { name: /^Allow callbacks to/ });
    await walker.see('blocked', allow);
    assert.equal(receiver.count(), 0);
    await walker.click(allow);
    await walker.see('allowed', detail.getByText(/^Callbacks to .* are allowed/));
    await walker.click(detail.getByRole('button', { name: 'Send again' }));
    const question = detail.getByRole('group', { name: 'Send this callback again?' });
    await walker.see('send-again', question);
    await walker.click(question.getByRole('button', { name: 'Send again' }));
    await walker.see('delivered', detail.getByText('Delivered', { exact: true }));
    assert.equal((await receiver.callbacks('/answers', 1)).length, 1);
    await receiver.close();
  },
};
