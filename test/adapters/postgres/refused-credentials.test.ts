/** The gateway refuses a token after a person has entered another one. */
import assert from 'node:assert/strict';
import { recordRefusedCredentials } from '../../../src/adapters/postgres/whatsapp/channel-watch.ts';
import { findChannel } from '../../../src/adapters/postgres/whatsapp/channels.ts';
import { openChannelGround, type ChannelGround } from '../../support/channel-ground.ts';

describe('A refusal of a channel’s token', () => {
  let ground: ChannelGround;
  before(async () => {
    ground = await openChannelGround();
  });
  after(async () => {
    await ground.close();
  });

  it('marks the channel, but not if the channel has got another token meanwhile', async () => {
    const id = await ground.newAgent();
    const enter = async (token: string) => {
      const fields = { instance_token: token, credentials_refused_at: null, last_error: null };
      await ground.db.knex('channels').where({ agent_id: id }).update(fields);
      return (await findChannel(ground.db, id)) ?? assert.fail();
    };
    const asked = await enter('the sealed old token');
    const renewed = await enter('the sealed new token');
    await recordRefusedCredentials(ground.db, asked);
    assert.deepEqual(await findChannel(ground.db, id), renewed);
    await recordRefusedCredentials(ground.db, renewed);
    const marked = await findChannel(ground.db, id);
    assert.ok(marked?.credentials_refused_at);
    assert.equal(marked.last_error?.code, 'invalid_credentials');
  });
});
