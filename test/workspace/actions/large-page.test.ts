import assert from 'node:assert/strict';
import { countLargePage } from './support/large-page.ts';

describe('A page of 1,000 blocks', () => {
  it('is replaced, fetched whole and turned into markdown with no request more than the limits of the API ask for', async () => {
    const { counts, lines, fetched } = await countLargePage();
    for (const { step, request, made, least } of counts) assert.equal(made, least, `${step}: ${request}`);
    assert.equal(lines, 1000);
    assert.equal(fetched, 1020);
  });
});
