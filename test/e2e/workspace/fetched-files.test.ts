/**
 * Files that are given by URL: whatever their number and size, a worker holds little of them, and a run so many bytes.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { changeOrganization } from '../../../src/adapters/postgres/accounts/organizations.ts';
import { startModelServer, type ChatRequest, type ModelServer } from '../../support/model-server.ts';
import { modelSettings } from '../../support/model-stack.ts';
import { loopbackCertificate, loopbackKey } from '../../support/receiver-certificate.ts';
import { useStack } from '../../support/stack.ts';
import { until } from '../../support/until.ts';

const mebibyte = 1024 * 1024;
const block = Buffer.alloc(mebibyte, 'The quick brown fox. ');

describe('Fetched files', () => {
  let files: Server;
  let model: ModelServer;
  let origin: string;
  const folder = mkdtempSync(join(tmpdir(), 'parley-test-'));
  const begun = new Map<string, number>();
  const held: ServerResponse[] = [];
  let sentBytes = 0;

  /**
   * `/15`: so many MiB. `/hold/…`: a header and silence. `/endless`: MiB after MiB. `/declared/17`: with its length.
   */
  async function serve(path: string, response: ServerResponse): Promise<void> {
    begun.set(path, (begun.get(path) ?? 0) + 1);
    const [kind = '', count] = path.slice(1).split('/');
    if (kind === 'hold') {
      held.push(response);
      response.writeHead(200).flushHeaders();
      return;
    }
    const blocks = kind === 'endless' ? Infinity : Number(kind === 'declared' ? count : kind);
    response.writeHead(200, {
      'content-type': 'application/octet-stream',
      ...(kind === 'declared' && { 'content-length': blocks * mebibyte }),
    });
    for (let n = 0; n < blocks && !response.destroyed; n += 1) {
      sentBytes += block.length;
      if (!response.write(block))
        await new Promise<void>((go) => {
          const gone = () => {
            response.off('drain', gone).off('close', gone);
            go();
          };
          response.on('drain', gone).on('close', gone);
        });
    }
    response.end();
  }

  const stack = useStack(async () => {
    files = createServer({ key: loopbackKey, cert: loopbackCertificate }, (request, response) => {
      void serve(request.url ?? '', response);
    });
    await new Promise<void>((listening) => files.listen(0, '127.0.0.1', listening));
    origin = `https://127.0.0.1:${(files.address() as AddressInfo).port}`;
    model = await startModelServer();
    const trusted = join(folder, 'loopback.pem');
    writeFileSync(trusted, loopbackCertificate);
    return {
      workers: 1,
      env: {
        ...modelSettings,
        MODEL_BASE_URL: model.baseUrl,
        CALLBACK_ALLOW: '127.0.0.1',
        NODE_EXTRA_CA_CERTS: trusted,
      },
    };
  });
  after(async () => {
    files.closeAllConnections();
    files.close();
    await model.close();
    rmSync(folder, { recursive: true });
  });

  const residentMiB = () =>
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${stack().worker.pid}/status`, 'utf8'))?.[1]) / 1024;
  const rowsOf = async (conversationId: string) => {
    const { rows } = await stack().db.pool.query<{
      filename: string;
      state: string;
      bytes: number | null;
      error: string | null;
    }>(
      `select filename, state, octet_length(content) as bytes, error from attachments where conversation_id = $1 order by id`,
      [conversationId],
    );
    return rows;
  };
  const piecesLeft = async () =>
    (await stack().db.pool.query<{ n: number }>('select count(*)::int as n from attachment_pieces')).rows[0]
      ?.n;

  it('thirty of 15 MiB for one run: four are stored, the others are too large, and the worker does not grow', async () => {
    const { api } = stack();
    const warm = await api.createAgent();
    await api.ask(warm.id, { message: 'warm', attachments: [{ url: `${origin}/1` }] });
    // A model that is shown no files: what the worker holds for one is another budget's.
    const agent = await api.createAgent({
      ...{ model: 'scripted/default', script: [{ reply: 'Thanks' }] },
      ...{ grouping_window_seconds: 60, grouping_max_messages: 3 },
    });
    const before = residentMiB();
    let most = before;
    const watch = setInterval(() => (most = Math.max(most, residentMiB())), 50);
    let conversation_id: string | undefined;
    for (let message = 0; message < 3; message += 1) {
      const attachments = Array.from({ length: 10 }, (_, n) => ({
        url: `${origin}/15`,
        filename: `${message}-${n}.bin`,
      }));
      const body = { message: 'thirty files', attachments, ...(conversation_id && { conversation_id }) };
      conversation_id = (await api.send(agent.id, body)).conversation_id;
    }
    await api.settled(conversation_id ?? '', 1, 90_000);
    clearInterval(watch);
    console.log(`      ${Math.round(before)} MiB before, ${Math.round(most)} MiB at most`);
    assert.ok(most - before < 150, `${Math.round(before)} MiB before, ${Math.round(most)} MiB at most`);
    const rows = await rowsOf(conversation_id ?? '');
    const kept = rows.filter(({ bytes }) => bytes !== null);
    assert.deepEqual(
      kept.map(({ bytes }) => bytes),
      Array.from({ length: 4 }, () => 15 * mebibyte),
    );
    const missing = rows.filter(({ bytes }) => bytes === null);
    assert.deepEqual([...new Set(missing.map(({ error }) => error))], ['not fetched: too large']);
    assert.deepEqual([...new Set(missing.map(({ state }) => state))], ['too_large']);
    const { rows: digests } = await stack().db.pool.query<{ digest: string }>(
      `select distinct encode(sha256(content), 'hex') as digest from attachments where conversation_id = $1 and content is not null`,
      [conversation_id],
    );
    const whole = createHash('sha256');
    for (let n = 0; n < 15; n += 1) whole.update(block);
    assert.deepEqual(digests, [{ digest: whole.digest('hex') }]);
    assert.equal(await piecesLeft(), 0);
  });

  it('one with a too large declared size is not read, one without is read up to the limit; the model learns why', async () => {
    const { api } = stack();
    const agent = await api.createAgent();
    const sizeRead = async (path: string) => {
      const before = sentBytes;
      const attachments = [{ url: origin + path, filename: 'a.bin' }];
      const { conversation_id } = await api.ask(agent.id, { message: path, attachments });
      const told = textsOf(model.callsFor(path)[0]?.body);
      assert.deepEqual(told, [path, '[The attachment a.bin was not fetched: too large.]']);
      const [row] = await rowsOf(conversation_id);
      assert.deepEqual(
        [row?.bytes, row?.state, row?.error],
        [null, 'too_large', 'not fetched: too large'],
        path,
      );
      return sentBytes - before;
    };
    // The bytes that the sockets buffer are sent all the same.
    assert.ok((await sizeRead('/declared/17')) < 10 * mebibyte);
    const endless = await sizeRead('/endless');
    assert.ok(endless >= 16 * mebibyte && endless < 26 * mebibyte, `${endless} bytes`);
    assert.equal(await piecesLeft(), 0);
  });

  it('none is requested once the storage is full, one that would exceed it is not stored; the model learns why', async () => {
    const { db, stranger } = stack();
    const { api, organizationId } = await stranger();
    const limits = { storage_limit_megabytes: 3 };
    await changeOrganization(db, organizationId, limits, { kind: 'system', name: 'a test' });
    const agent = await api.createAgent();
    const ask = async (message: string, path: string) => {
      const attachments = [{ url: origin + path, filename: 'a.bin' }];
      const { conversation_id } = await api.ask(agent.id, { message, attachments });
      const [row] = await rowsOf(conversation_id);
      return row?.error ?? row?.bytes;
    };
    const full = 'not fetched: storage full';
    assert.equal(await ask('fits', '/2'), 2 * mebibyte);
    assert.equal(await ask('does not fit', '/2/again'), full);
    assert.equal(await ask('fills it', '/1/last'), mebibyte);
    assert.equal(await ask('is not asked for', '/1/never'), full);
    assert.deepEqual([begun.get('/2/again'), begun.get('/1/never')], [1, undefined]);
    const told = textsOf(model.callsFor('is not asked for')[0]?.body);
    assert.deepEqual(told, ['is not asked for', '[The attachment a.bin was not fetched: storage full.]']);
    assert.equal(await piecesLeft(), 0);
  });

  it('one organization’s slow files use half of the worker’s budget; another organization’s file is fetched meanwhile', async () => {
    const { api, stranger } = stack();
    const agent = await api.createAgent();
    const silent = Array.from({ length: 30 }, (_, n) => `/hold/${n}`);
    for (let n = 0; n < silent.length; n += 10)
      await api.send(agent.id, {
        message: 'silent',
        attachments: silent.slice(n, n + 10).map((path) => ({ url: origin + path })),
      });
    const asked = () => silent.filter((path) => begun.has(path)).length;
    // Four files are half of the budget.
    await until('its share is used', () => asked() >= 4);
    const other = (await stranger()).api;
    const others = await other.createAgent();
    const answer = await other.ask(others.id, { message: 'mine', attachments: [{ url: `${origin}/2` }] });
    const [row] = await rowsOf(answer.conversation_id);
    assert.equal(row?.bytes, 2 * mebibyte);
    assert.equal(asked(), 4);
    for (const response of held) response.destroy();
    await until('the others have their turn', () => {
      for (const response of held.splice(0)) response.destroy();
      return asked() === 30;
    });
  });

  it('a worker killed in the middle leaves no partial file: the next worker fetches it completely', async () => {
    const { api, worker } = stack();
    const agent = await api.createAgent();
    const path = '/hold/killed';
    const { conversation_id } = await api.send(agent.id, {
      message: 'k',
      attachments: [{ url: origin + path }],
    });
    await until('the file is asked for', () => held.length > 0);
    held.pop()?.write(block);
    await until('a piece is written', async () => ((await piecesLeft()) ?? 0) > 0);
    await worker.kill();
    await worker.start();
    await until('the file is asked for again', () => held.length > 0);
    held.pop()?.end(block);
    await api.settled(conversation_id, 1, 60_000);
    const [row] = await rowsOf(conversation_id);
    assert.deepEqual([row?.bytes, row?.error], [mebibyte, null]);
  });
});

function textsOf(body: ChatRequest | undefined): string[] {
  const content = body?.messages.findLast(({ role }) => role === 'user')?.content;
  return Array.isArray(content) ? content.map((part) => String((part as { text?: string }).text)) : [];
}
