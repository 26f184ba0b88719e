import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { createFileLinks } from '../../../src/adapters/secrets/file-links.ts';

describe('createFileLinks', () => {
  const key = () => randomBytes(32).toString('base64');
  const [older, newer] = [key(), key()];
  const id = randomUUID();
  const soon = () => Date.now() + 60_000;
  const read = (url: string | undefined) => {
    const [of = '', until = '', signature = ''] = url!.split('/').slice(-3);
    return { id: of, until, signature };
  };
  const linksOf = (keys?: string) => createFileLinks(keys, 'https://parley.example.test');

  it('makes links that it takes, until their time is over', () => {
    const links = linksOf(older);
    assert.match(links.urlOf(id, soon())!, /^https:\/\/parley\.example\.test\/v1\/files\//);
    assert.equal(links.allows(read(links.urlOf(id, soon()))), true);
    assert.equal(links.allows(read(links.urlOf(id, Date.now() - 2000))), false);
  });

  it('takes links of both keys while they are rotated, and signs with the first', () => {
    const rotated = linksOf(`${newer},${older}`);
    assert.equal(rotated.allows(read(linksOf(older).urlOf(id, soon()))), true);
    assert.equal(linksOf(newer).allows(read(rotated.urlOf(id, soon()))), true);
    assert.equal(linksOf(older).allows(read(rotated.urlOf(id, soon()))), false);
  });

  it('takes no link in which anything was changed', () => {
    const links = linksOf(older);
    const right = read(links.urlOf(id, soon()));
    for (const change of [
      { id: randomUUID() },
      { until: String(Number(right.until) + 1) },
      { until: `0${right.until}` },
      { until: '99999999999999999999' },
      { until: 'NaN' },
      { signature: '' },
      { signature: right.signature.slice(1) },
      { signature: right.signature.replace(/^./, (first) => (first === 'A' ? 'B' : 'A')) },
    ]) {
      assert.equal(links.allows({ ...right, ...change }), false, JSON.stringify(change));
    }
  });

  it('makes none without a key, and takes none', () => {
    assert.equal(linksOf().urlOf(id, soon()), undefined);
    assert.equal(linksOf().allows(read(linksOf(older).urlOf(id, soon()))), false);
  });
});
