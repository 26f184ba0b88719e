/** On what the tests run: `STACK=many` for two APIs behind one address, three workers, and Temporal's real server on
 *  the Postgres of the product, as docker-compose.yml has it; `several` for the same on the dev server; else the least
 *  that there can be. */
const wanted = process.env['STACK'];

export const shape =
  wanted === 'many' || wanted === 'several'
    ? ({ apis: 2, workers: 3, temporal: wanted === 'many' ? 'server' : 'dev', maxConnections: 300 } as const)
    : ({ apis: 1, workers: 1, temporal: 'dev', maxConnections: 100 } as const);
