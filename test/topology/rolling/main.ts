/**
 * `npm run test:rolling -- --conversations 500`: a rolling deploy of workers and APIs with a change of the workflow
 * code. Ends with 1 unless nothing is stuck, lost or repeated. `-- --unsafe`: the same change made unsafely; ends with
 * 1 unless it is seen to leave conversations stuck. The replay gate is asked about both.
 */
import { parseArgs } from 'node:util';
import { stopBacking } from '../../support/backing.ts';
import { startStack } from '../../support/stack.ts';
import { nextVersion } from './changed-workflows.ts';
import { rollingDeploy } from './deploy.ts';

const { values } = parseArgs({
  options: {
    conversations: { type: 'string', default: '500' },
    unsafe: { type: 'boolean', default: false },
  },
});
const say = (line: string) => {
  console.error(line);
};
const next = nextVersion(values.unsafe ? 'unsafe' : 'safe');
const stack = await startStack();
const deploy = await rollingDeploy({
  ...{ stack, conversations: Number(values.conversations), bundlePath: await next.bundlePath(), say },
  patienceMs: values.unsafe ? 30_000 : 180_000,
});
console.log(JSON.stringify(deploy));
next.remove();
await stack.stop();
await stopBacking();
const { stuck, lost, repeated, changed } = deploy;
const whole = stuck + lost + repeated === 0 && changed > 0;
process.exit(values.unsafe ? Number(stuck === 0) : Number(!whole));
