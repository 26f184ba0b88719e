/** Images by digest, what the registry is asked, and what `npm run images:pin` writes. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  allReferences,
  imageFaults,
  readDigests,
  referencesIn,
  resolveDigest,
  withDigests,
} from './images.ts';

const table = readDigests();
const digest = (digit: string) => `sha256:${digit.repeat(64)}`;

describe('Images', () => {
  it('are named with their digest in every file, each as in src/deploy/images.json', () => {
    const references = allReferences();
    assert.deepEqual(imageFaults(references, table), []);
    assert.deepEqual(
      [...new Set(references.map(({ file }) => file))],
      ['docker-compose.yml', 'src/deploy/Dockerfile'],
    );
  });

  it('without a digest, with another, unknown or unused are faults', () => {
    const known = { 'a:1': { digest: digest('a'), source: 'x', answeredByRegistry: null } };
    const faults = (image: string) => imageFaults([{ file: 'f', image }], known);
    assert.deepEqual(faults(`a:1@${digest('a')}`), []);
    assert.deepEqual(faults('a:1'), ['f: a:1 has no digest']);
    assert.deepEqual(faults('a:1@sha256:abc'), ['f: a:1@sha256:abc has no digest']);
    assert.match(faults(`a:1@${digest('b')}`)[0]!, /another digest/);
    assert.deepEqual(faults(`b:1@${digest('a')}`), [
      'f: b:1 is not in src/deploy/images.json',
      'src/deploy/images.json: nothing uses a:1',
    ]);
  });

  it('are found wherever a file can name one', () => {
    const found = (file: string, text: string) => referencesIn(file, text).map(({ image }) => image);
    const recipe =
      'ARG NODE=node:1\nFROM ${NODE} AS build\nFROM alpine\nCOPY --from=build /a /b\nCOPY --from=nginx:2 /a /b\n';
    assert.deepEqual(found('Dockerfile', recipe), ['node:1', 'alpine', 'nginx:2']);
    assert.deepEqual(
      found(
        'x.yaml',
        "containers:\n  - image: a\n  -\n    image: 'b:1'\nimage: &x c:2\nimage: parley:0.1.0\n",
      ),
      ['a', 'b:1', 'c:2'],
    );
  });

  it('get the digests of the table instead of older ones', () => {
    const known = { 'a/b:1.2': { digest: digest('c'), source: 'x', answeredByRegistry: null } };
    assert.equal(
      withDigests(
        `ARG N=a/b:1.2\n  image: a/b:1.2@${digest('a')}\n  image: a/b:1.2-slim\n  image: x/a/b:1.2\n`,
        known,
      ),
      `ARG N=a/b:1.2@${digest('c')}\n  image: a/b:1.2@${digest('c')}\n  image: a/b:1.2-slim\n  image: x/a/b:1.2\n`,
    );
  });
});

describe('The digest of a tag', () => {
  const index = Buffer.from(JSON.stringify({ schemaVersion: 2, manifests: [] }));
  const type = 'application/vnd.oci.image.index.v1+json';
  let server: Server;
  let origin: string;
  let answer = { type, body: index };

  before(async () => {
    server = createServer((request, response) => {
      if (request.url === '/token?service=registry.test&scope=repository%3Alibrary%2Fpostgres%3Apull') {
        response.end('{"token":"given"}');
      } else if (request.url !== '/v2/library/postgres/manifests/18.4') {
        response.writeHead(404).end();
      } else if (request.headers.authorization !== 'Bearer given') {
        const challenge = `Bearer realm="${origin}/token",service="registry.test",scope="repository:library/postgres:pull"`;
        response.writeHead(401, { 'WWW-Authenticate': challenge }).end();
      } else {
        response
          .writeHead(200, { 'Content-Type': answer.type, 'Docker-Content-Digest': digest('0') })
          .end(answer.body);
      }
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => {
    server.close();
  });

  it('is computed from the index that the registry gives, with an anonymous token', async () => {
    answer = { type, body: index };
    assert.deepEqual(await resolveDigest('postgres:18.4', origin), {
      outcome: 'digest',
      digest: `sha256:${createHash('sha256').update(index).digest('hex')}`,
    });
  });

  it('is none of a tag that is not there, of one platform alone, or without a registry', async () => {
    assert.deepEqual(await resolveDigest('nobody/nothing:1', origin), {
      outcome: 'no answer',
      why: 'it answered 404',
    });
    answer = { type: 'application/vnd.oci.image.manifest.v1+json', body: index };
    assert.equal((await resolveDigest('postgres:18.4', origin)).outcome, 'no answer');
    const nobody = await resolveDigest('postgres:18.4', 'http://127.0.0.1:9');
    assert.equal(nobody.outcome, 'no answer');
  });
});
