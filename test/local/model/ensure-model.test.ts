/** The download of the small model, from a server that stands in for the model hub. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { shippedPrices } from '../../../src/domain/conversations/model-call.ts';
import { ensureModel } from '../../../src/local/model/ensure-model.ts';
import { models, type PinnedModel } from '../../../src/local/model/pinned.ts';
import { StartProblem } from '../../../src/local/start-problem.ts';
import { endCopies, freshFolder } from '../../support/local-copy.ts';
import { until } from '../../support/until.ts';

const file = Buffer.from('a model of 100 bytes'.padEnd(100, '.'));
const sha256 = createHash('sha256').update(file).digest('hex');

describe('the download of the small model', () => {
  const ranges: (string | undefined)[] = [];
  let handle: (request: IncomingMessage, response: ServerResponse) => void;
  const server = createServer((request, response) => {
    ranges.push(request.headers.range);
    handle(request, response);
  });
  let origin = '';
  before(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  beforeEach(() => (ranges.length = 0));
  afterEach(endCopies);
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  const pinned = (change: Partial<PinnedModel> = {}): PinnedModel => ({
    ...{
      name: 'small',
      title: 'Small',
      licence: 'Apache-2.0',
      bytes: file.length,
      sha256,
      contextTokens: 4096,
    },
    source: { kind: 'hub', origin, path: '/m.gguf' },
    ...change,
  });
  let part = '';
  const fetched = async (model: PinnedModel, cache = freshFolder()) => {
    part = join(cache, 'parley', `small-${sha256.slice(0, 12)}.gguf.part`);
    const lines: string[] = [];
    const env = { ...process.env, XDG_CACHE_HOME: cache, NO_PROXY: '127.0.0.1' };
    const found = await ensureModel((line) => lines.push(line), env, [model]).catch((error: unknown) => {
      assert.ok(error instanceof StartProblem);
      return { path: '', problem: error.message };
    });
    return { problem: '', ...found, lines, files: readdirSync(join(cache, 'parley')) };
  };
  const pathOf = ({ path, problem }: { path: string; problem: string }) => {
    assert.equal(problem, '');
    return path;
  };
  /** Sends these bytes. If there are more, cuts the connection once the client has written these to its file. */
  const send = (response: ServerResponse, from: number, to: number, status = 206) => {
    response.writeHead(status, {
      'content-length': file.length - from,
      ...(status === 206 && { 'content-range': `bytes ${from}-${file.length - 1}/${file.length}` }),
    });
    response.write(file.subarray(from, to));
    if (to === file.length) response.end();
    else
      void until('the part', () => statSync(part, { throwIfNoEntry: false })?.size === to).then(() =>
        response.destroy(),
      );
  };

  it('prints name, licence, size and source, and leaves the file in the cache, which later starts use', async () => {
    handle = (_, response) => {
      send(response, 0, 100, 200);
    };
    const cache = freshFolder();
    const got = await fetched(pinned(), cache);
    assert.deepEqual(readFileSync(pathOf(got)), file);
    assert.deepEqual(got.lines, [`Fetching Small (Apache-2.0, 0 MB) from ${new URL(origin).host} …`]);
    assert.equal(pathOf(await fetched(pinned(), cache)), pathOf(got));
    assert.equal(ranges.length, 1);
  });

  it('continues after a cut, in the same start and in a later one', async () => {
    const sent = [40, 50, 60, 70, 100];
    handle = ({ headers }, response) => {
      const from = Number(/bytes=(\d+)-/.exec(headers.range ?? '')?.[1] ?? 0);
      send(response, from, sent.shift() ?? 100, headers.range === undefined ? 200 : 206);
    };
    const cache = freshFolder();
    const cut = await fetched(pinned(), cache);
    assert.match(cut.problem, /could not be fetched/);
    assert.deepEqual(readFileSync(pathOf(await fetched(pinned(), cache))), file);
    assert.deepEqual(ranges, [undefined, 'bytes=40-', 'bytes=50-', 'bytes=60-', 'bytes=70-']);
  });

  it('begins again if the server sends no parts', async () => {
    const sent = [30, 100];
    handle = (_, response) => {
      send(response, 0, sent.shift() ?? 100, 200);
    };
    assert.deepEqual(readFileSync(pathOf(await fetched(pinned()))), file);
    assert.deepEqual(ranges, [undefined, 'bytes=30-']);
  });

  it('follows the redirect to the files, but not to another scheme', async () => {
    handle = ({ url }, response) => {
      if (url === '/m.gguf') response.writeHead(302, { location: '/files/m' }).end();
      else send(response, 0, 100, 200);
    };
    assert.deepEqual(readFileSync(pathOf(await fetched(pinned()))), file);
    handle = (_, response) => {
      response.writeHead(302, { location: 'https://127.0.0.1:1/m' }).end();
    };
    assert.match((await fetched(pinned())).problem, /does not use http:/);
  });

  it('refuses a larger file and one with another checksum, and keeps nothing of it', async () => {
    handle = (_, response) => response.writeHead(200).end(Buffer.concat([file, file]));
    const large = await fetched(pinned());
    assert.match(large.problem, /larger than the pinned one/);
    handle = (_, response) => response.writeHead(200).end(file.toReversed());
    const other = await fetched(pinned());
    assert.match(other.problem, /refused, because its SHA-256 is/);
    assert.deepEqual(other.files, []);
  });

  it('uses the next source, and prints why', async () => {
    handle = (_, response) => response.writeHead(503).end();
    const cache = freshFolder();
    const lines: string[] = [];
    const env = { ...process.env, XDG_CACHE_HOME: cache, NO_PROXY: '127.0.0.1' };
    const second = pinned({ name: 'second', source: { kind: 'hub', origin, path: '/other' } });
    const path = join(cache, 'parley', `second-${sha256.slice(0, 12)}.gguf`);
    await assert.rejects(
      ensureModel((line) => lines.push(line), env, [pinned(), second]),
      /Add a provider under Models in the console/,
    );
    assert.equal(lines.filter((line) => line.includes('answered 503')).length, 2);
    writeFileSync(path, file);
    assert.equal((await ensureModel(() => undefined, env, [pinned(), second])).model.name, 'second');
  });

  it('refuses a cached file that has changed, with what to do', async () => {
    const cache = freshFolder();
    await fetched(pinned({ source: { kind: 'hub', origin: 'http://127.0.0.1:9', path: '/' } }), cache);
    const path = join(cache, 'parley', `small-${sha256.slice(0, 12)}.gguf`);
    writeFileSync(path, 'changed');
    const { problem } = await fetched(pinned(), cache);
    assert.match(problem, /is not the model that was fetched.*Delete it/);
    assert.ok(existsSync(path));
  });

  it('has models with https, a licence and a price of 0', () => {
    for (const { name, licence, source } of models) {
      assert.equal(licence, 'Apache-2.0');
      assert.deepEqual(shippedPrices[`local/${name}`], { input: 0, output: 0 });
      if (source.kind === 'hub') assert.equal(new URL(source.origin).protocol, 'https:');
    }
  });
});
