/** The short form of `npm run test:rehearsals`. */
import { demandProof, runProof } from './proof.ts';

describe('Rehearsals of recorded conversations', () => {
  it('find every planted change in its class and nothing else, send nothing, and report the same after kill -9', async () => {
    demandProof(await runProof({ seed: 1, conversations: 120, kills: 1 }, () => undefined));
  });
});
