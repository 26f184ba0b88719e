/** An instance token is sent only to the address for which it was entered, whatever is edited at the same time. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { useChannelStand, type ChannelStand } from '../../support/channel-stand.ts';
import type { Channel } from '../../support/channel-talk.ts';
import { until } from '../../support/until.ts';

/** An address in front of the gateway that takes every token, and keeps those that it was sent. */
interface Door {
  url: string;
  tokens: Set<string>;
  /** Answers nothing until the returned function is called. */
  hold: () => () => void;
}

describe('Credentials of a channel that is edited twice at once', () => {
  const shared = useChannelStand();
  const servers: Server[] = [];
  let stand: ChannelStand;
  before(() => {
    stand = shared();
  });
  after(() => {
    for (const server of servers) server.close().closeAllConnections();
  });

  async function openDoor(): Promise<Door> {
    let held = Promise.resolve();
    const tokens = new Set<string>();
    const server = createServer((request, response) => {
      tokens.add(String(request.headers['token']));
      const forward = async () => {
        await held;
        const answer = await fetch(`${stand.emulator.url}${request.url ?? ''}`, {
          headers: { token: stand.emulator.instanceToken },
        });
        response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
      };
      void forward().catch(() => response.destroy());
    });
    servers.push(server);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return {
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      tokens,
      hold: () => {
        let release = (): void => undefined;
        held = new Promise((resolve) => (release = resolve));
        return release;
      },
    };
  }

  /** A channel at one door, with two edits in progress: one to another door, and `second`. */
  async function race(second: (old: Door) => object) {
    const [old, next] = [await openDoor(), await openDoor()];
    const id = await stand.agent([{ reply: 'x' }]);
    const path = `/agents/${id}/channel`;
    // The doors lead to the number of the stand's other agents.
    const edit = async (body: object) =>
      await stand.call<{ code?: string }>('PATCH', path, { ...body, take_over: true });
    const form = { base_url: old.url, instance_token: 'entered-for-old', take_over: true };
    const made = await stand.call('PUT', path, form);
    assert.equal(made.status, 200);
    const release = next.hold();
    const moving = edit({ base_url: next.url, instance_token: 'entered-for-next' });
    await until('the next address to be asked', () => next.tokens.size > 0);
    const other = edit(second(old));
    await until('the other edit to wait', async () => {
      const checks = stand.stack.db.knex('channel_checks').where({ agent_id: id, finished_at: null });
      const open: unknown[] = await checks;
      return open.length === 2;
    });
    release();
    assert.equal((await moving).status, 200);
    const { status, body } = await other;
    const { body: channel } = await stand.call<Channel>('GET', path);
    return { old, next, refused: [status, body.code], channel };
  }

  it('the token of a new address is not sent to the old one by an edit that keeps the address', async () => {
    const { old, next, refused, channel } = await race(({ url }) => ({ base_url: url }));
    assert.deepEqual([[...old.tokens], [...next.tokens]], [['entered-for-old'], ['entered-for-next']]);
    assert.deepEqual(refused, [409, 'invalid_state']);
    assert.equal(channel.base_url, next.url);
  });

  it('a new token for the old address is not sent to the new one', async () => {
    const { old, next, refused, channel } = await race(() => ({ instance_token: 'renewed-for-old' }));
    assert.deepEqual([...next.tokens], ['entered-for-next']);
    assert.deepEqual([...old.tokens].sort(), ['entered-for-old', 'renewed-for-old']);
    assert.equal(refused[0], 200);
    assert.equal(channel.base_url, old.url);
  });
});
