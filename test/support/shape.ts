/** On what the tests run: `STACK=many` for two APIs behind one address, three workers, and Temporal's real server on
 *  the Postgres of the product, as docker-compose.yml has it; else the least that there can be. */
const many = process.env['STACK'] === 'many';

export const shape = many
  ? ({ apis: 2, workers: 3, temporal: 'server', maxConnections: 300 } as const)
  : ({ apis: 1, workers: 1, temporal: 'dev', maxConnections: 100 } as const);
