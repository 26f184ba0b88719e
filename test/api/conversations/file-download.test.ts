import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { createFileLinks } from '../../../src/adapters/secrets/file-links.ts';
import { useChannelStand } from '../../support/channel-stand.ts';
import { channelTalk } from '../../support/channel-talk.ts';
import { until } from '../../support/until.ts';

describe('GET /v1/files', () => {
  const stand = useChannelStand();
  let id: string;
  let url: string;
  before(async () => {
    const { api } = stand().stack;
    const agent = await api.createAgent({ script: [{ reply: 'seen' }] });
    const page = Buffer.from('<script>alert(1)</script>').toString('base64');
    const { conversation_id } = await api.send(agent.id, {
      message: 'look',
      attachments: [{ content_base64: page, filename: 'päge\n.html', content_type: 'text/html' }],
    });
    const file = await until('the file', async () => {
      return (await channelTalk(stand()).messagesOf(conversation_id))[0]?.attachments[0];
    });
    id = file.id;
    url = file.url ?? '';
  });

  it('serves a file to anyone with its link, in a way that no browser executes', async () => {
    const answer = await fetch(url);
    assert.equal(answer.status, 200);
    assert.equal(await answer.text(), '<script>alert(1)</script>');
    const header = (name: string) => answer.headers.get(name);
    assert.match(header('content-disposition')!, /^attachment;.*filename\*=UTF-8''p%C3%A4ge/);
    assert.equal(header('content-security-policy'), "default-src 'none'; sandbox");
    assert.equal(header('x-content-type-options'), 'nosniff');
    assert.equal(header('set-cookie'), null);
  });

  it('answers a wrong or expired link exactly like a missing file', async () => {
    const { stack } = stand();
    const linksOf = (key: string) => createFileLinks(key, new URL(stack.apiUrl).origin);
    const ours = linksOf(stack.env['ENCRYPTION_KEY'] ?? '');
    const another = '01890000-0000-7000-8000-000000000000';
    const inAnHour = Date.now() + 3_600_000;
    const bodies = new Set<string>();
    for (const link of [
      linksOf(randomBytes(32).toString('base64')).urlOf(id, inAnHour)!,
      ours.urlOf(id, Date.now() - 2000)!,
      ours.urlOf(another, inAnHour)!,
      url.replace(id, another),
      url.replace(id, 'x'),
      url.slice(0, -1),
    ]) {
      const answer = await fetch(link);
      assert.equal(answer.status, 404, link);
      bodies.add(await answer.text());
    }
    assert.equal(bodies.size, 1);
    assert.equal((await fetch(ours.urlOf(id, inAnHour)!)).status, 200);
  });
});
