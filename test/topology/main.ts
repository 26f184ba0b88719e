/** `npm run topology`: the topology of docker-compose.yml as processes, until it is stopped: two APIs behind one address,
 *  three workers, Temporal's real server and the product on one Postgres. Prints one JSON object when all are up. */
import { stopBacking } from '../support/backing.ts';
import { shape } from '../support/shape.ts';
import { startStack } from '../support/stack.ts';

const began = Date.now();
const stack = await startStack();
const { apiUrl, token, organizationId, temporal, databaseUrl, receiver } = stack;
const agent = await stack.api.createAgent({ script: [{ when: '(?s)^(.*)$', reply: 'You wrote: $1' }] });
console.log(
  JSON.stringify({
    ...{ base_url: apiUrl, organization_id: organizationId, token, agent_id: agent.id },
    callback_url: receiver.url('/callback'),
    temporal: { address: temporal.address, namespace: temporal.namespace },
    ...{ database_url: databaseUrl, apis: shape.apis, workers: shape.workers, ready_ms: Date.now() - began },
  }),
);
// Stopped in order, not just ended.
process.removeAllListeners('SIGTERM');
await new Promise<void>((resolve) => {
  process.on('SIGINT', resolve).on('SIGTERM', resolve);
});
await stack.stop();
await stopBacking();
process.exit(0);
