/**
 * `npm run chaos:replies -- [kills] [seed]`: workers killed during replies of three parts; prints what became of them.
 */
import { stopBacking } from './backing.ts';
import { startChannelStand } from './channel-stand.ts';
import { killDuringReplies } from './reply-kills.ts';

const [kills = '50', seed = '1'] = process.argv.slice(2);
const stand = await startChannelStand();
try {
  const figures = await killDuringReplies(stand, {
    kills: Number(kills),
    seed: Number(seed),
    firstNumber: 5534970000000,
    settleMs: 300_000,
  });
  process.stdout.write(`${JSON.stringify({ seed: Number(seed), ...figures })}\n`);
  process.exitCode = figures.twice + figures.outOfOrder + figures.lost === 0 ? 0 : 1;
} finally {
  await stand.stop();
  await stopBacking();
}
process.exit();
