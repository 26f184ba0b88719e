import assert from 'node:assert/strict';
import { connectDatabase, type Database } from '../../../src/adapters/postgres/database.ts';
import { createOrganization } from '../../../src/adapters/postgres/accounts/organizations.ts';
import {
  listToolConnections,
  saveConnectedWorkspace,
} from '../../../src/adapters/postgres/workspace/tool-connections.ts';
import { DocsOAuth } from '../../../src/workspace/client/oauth.ts';
import { createEncryption } from '../../../src/adapters/secrets/encryption.ts';
import { createWorkspaceCredentials } from '../../../src/app/workspace/credentials.ts';
import { backing } from '../../support/backing.ts';
import { startWorkspaceEmulator, type WorkspaceEmulator } from '../../support/workspace/emulator.ts';

describe('Tokens that expire while several workers use them', () => {
  let db: Database;
  let emulator: WorkspaceEmulator;
  before(async () => {
    db = connectDatabase(await (await backing()).freshDatabase(), 20);
    emulator = await startWorkspaceEmulator();
  });
  after(async () => {
    await Promise.all([db.close(), emulator.stop()]);
  });

  it('ten calls at once renew the token once, and all continue with the new one', async () => {
    const { clientId, clientSecret, redirectUris } = emulator.oauth;
    const oauth = new DocsOAuth({
      ...{ clientId, clientSecret, redirectUrl: redirectUris[0]!, apiUrl: emulator.url },
    });
    const back = new URL(await emulator.decide(oauth.authorizationUrl('state'), 'approve'));
    const grant = await oauth.exchange(back.searchParams.get('code')!);
    const { id: organizationId } = await createOrganization(db, 'an organization');
    const encryption = createEncryption(Buffer.alloc(32, 1).toString('base64'));
    // The objects of which each worker process has one.
    const workers = Array.from({ length: 10 }, () =>
      createWorkspaceCredentials(db, encryption, oauth, emulator.url),
    );
    const connection = await saveConnectedWorkspace(
      db,
      {
        ...{ organizationId, auth: 'OAUTH2', botId: grant.bot_id, workspaceId: grant.workspace_id },
        ...{ workspaceName: null, integrationName: null },
      },
      undefined,
      (row) => workers[0]!.seal(row, grant),
    );
    emulator.forgetToken(grant.access_token);
    emulator.requests.length = 0;
    emulator.faults.add({ path: '/v1/oauth/token', fault: { kind: 'slow', ms: 1500 } });
    // All of them read the row before the first has its answer, if they may.
    await Promise.all(workers.map(() => db.knex.raw('select pg_sleep(0.5)')));
    const renewed = await Promise.all(workers.map((worker) => worker.renew(connection, grant.access_token)));
    assert.equal(emulator.count('POST', '/v1/oauth/token'), 1);
    assert.equal(new Set(renewed.map((one) => JSON.stringify(one))).size, 1);
    const [now] = await listToolConnections(db, organizationId);
    assert.equal(now?.status, 'connected');
    assert.deepEqual(renewed[0], { token: workers[0]!.open(now) });
    assert.notEqual(workers[0]!.open(now), grant.access_token);
  });
});
