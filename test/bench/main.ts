/** `npm run bench`: the product through its public API beside a bare Temporal workflow of the same job, in turns. */
import { mkdtempSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { startBare, type RunningSubject } from './bare-stack.ts';
import { insertCeiling, readCeiling, signalCeiling, type Rate } from './ceilings.ts';
import { historyPerTurn, measureRound, type RoundFigures } from './compare.ts';
import { startGround, type Ground } from './ground.ts';
import { growthOfIdle, type IdleGrowth } from './idle-conversations.ts';
import { burst, startCallbacks, type Callbacks } from './load.ts';
import { compareEarlyAndLate, makeLongAgent } from './long-conversation.ts';
import { startModelServer } from './model-server.ts';
import { makeGroupingAgent, measureOpenGroups, type OpenGroups } from './open-groups.ts';
import { installPeers, measurePeers, type PeerFigures } from './peers.ts';
import { startProduct, type Product } from './product-stack.ts';
import { profileClock, profileTable, readProfiles, selfTimes } from './profile.ts';
import { figuresOf, tableOf, type Measured } from './report.ts';
import { figuresByShare, tableByShare, type ByShare } from './report-by-share.ts';
import { isKeptWarm } from '../support/warm.ts';
import { measureReturning, shareOfReturning, shares, type ReturningRound } from './returning-users.ts';

interface Options {
  json?: string | true;
  peers?: string;
  profile?: true;
  full?: true;
  onlyReturning?: true;
  share: string[];
}

const {
  json,
  peers,
  profile,
  full,
  onlyReturning,
  share: wantedShares,
} = new Command('bench')
  .option('--json [file]', 'the figures as one JSON object in the last line, and in this file')
  .option('--peers <dir>', 'the same job on other engines too: <dir>/*/run.sh')
  .option('--profile', 'where the CPU of a turn goes')
  .option('--full', 'more rounds, and longer ones')
  .option('--only-returning', 'only the loads by share of users who return, which --peers measures too')
  .option('--share <p...>', 'of these loads, only those with this share of users who return: 1, 0.5 or 0', [])
  .parse()
  .opts<Options>();

const rounds = full ? 7 : 3;
/**
 * The load of the programs on other engines (`--peers`), so that all figures are of one job. In a shorter burst most
 * turns would be the first of their conversations, which cost Temporal a new workflow.
 */
const size = { turns: 60, burst: { turns: 1000 }, inFlight: 50, conversations: 200 };
const returningSize = { turns: 2 * size.turns, burst: { turns: size.burst.turns, inFlight: size.inFlight } };
/** Default of `WARM_SECONDS`. */
const warmSeconds = Number(process.env['WARM_SECONDS'] ?? 60);
const ceilingMs = full ? 5000 : 1500;
/** On a busy machine the benchmark makes fewer rounds instead of running for very long. */
const roundsBudgetMs = full ? 900_000 : 300_000;
const openGroupsBudgetMs = full ? 200_000 : 30_000;

const say = (text: string) => {
  console.error(text);
};
// Before anything is measured, because an installation uses the machine for minutes.
const installed = peers === undefined ? undefined : await installPeers(peers, say);
const profiles = profile && mkdtempSync(join(tmpdir(), 'parley-profile-'));
const ground = await startGround();
const callbacks = await startCallbacks();
const model = await startModelServer();
const allow = callbacks.origin.slice('http://'.length);
const product = await startProduct(ground, {
  allow,
  env: {
    MODEL_BASE_URL: model.baseUrl,
    ...(profiles && { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${profiles}` }),
  },
});
const bare = await startBare(ground);
const returning = peers !== undefined || onlyReturning === true;
/** The product without warm conversations, beside one with them. */
const cold =
  returning && isKeptWarm
    ? await startProduct(ground, { name: 'parley_cold', allow, env: { WARM_TURNS: '1' } })
    : undefined;
let measured: Omit<Measured, 'peers'> | undefined;
let byShare: ByShare | undefined;
try {
  if (profiles) await profileTurns(profiles);
  else {
    if (returning) byShare = await compareByShare();
    if (!onlyReturning) measured = await compare();
  }
} finally {
  await Promise.all([product.stop(), bare.stop(), cold?.stop()]);
  await Promise.all([callbacks.close(), model.close()]);
  await ground.stop();
}
if (!profiles) {
  // Measured alone on the machine, as in their own benchmark.
  const others = installed === undefined ? {} : await measurePeers(installed, rounds, say);
  await report(others);
}
process.exit(0);

/** Bare Temporal and the product by turns, for each share of users who return. */
async function compareByShare(): Promise<ByShare> {
  const before = loadavg()[0] ?? Number.NaN;
  const subjects = Object.entries({ bare, product, ...(cold && { cold }) });
  const wanted = shares.filter((share) => wantedShares.length === 0 || wantedShares.includes(String(share)));
  await warmUp(Object.fromEntries(subjects));
  const found: ByShare['rounds'] = [];
  const began = performance.now();
  for (let round = 0; round < rounds; round++) {
    if (round > 0 && ((round + 1) / round) * (performance.now() - began) > 3 * roundsBudgetMs) break;
    for (const share of wanted) {
      const of: Record<string, ReturningRound> = {};
      let seen = Number.NaN;
      // Each round in the other order, so that no subject always follows the same one.
      const inOrder = round % 2 === 0 ? subjects : subjects.toReversed();
      const load = { share, round };
      await measureReturning(inOrder, callbacks, ground.pids, returningSize, load, async (name, figures) => {
        of[name] = figures;
        if (name === 'product') seen = await shareOfReturning(product.db, figures.since, warmSeconds);
        say(`p = ${share}, round ${round + 1} ${name}: ${figures.turnsPerSecond} turns/s`);
      });
      found.push({ share, seen, of });
    }
  }
  return { rounds: found, load: [before, loadavg()[0] ?? Number.NaN] };
}

async function compare(): Promise<Omit<Measured, 'peers'>> {
  const before = loadavg()[0] ?? Number.NaN;
  await warmUp({ bare, product });
  const measuredRounds: Record<'bare' | 'product', RoundFigures[]> = { bare: [], product: [] };
  const began = performance.now();
  for (let round = 0; round < rounds; round++) {
    if (round > 0 && ((round + 1) / round) * (performance.now() - began) > roundsBudgetMs) break;
    for (const [name, subject] of [['bare', bare] as const, ['product', product] as const]) {
      const figures = await measureRound(subject, callbacks, ground.pids, size, `${name}-${round}`);
      measuredRounds[name].push(figures);
      say(
        `round ${round + 1} ${name}: ${figures.turnsPerSecond} turns/s, overhead p50 ${figures.overheadP50.toFixed(1)} ms`,
      );
    }
  }
  const groups = await openGroupRounds(ground, product, callbacks);
  const agentId = await makeLongAgent(product);
  return {
    rounds: measuredRounds,
    history: {
      product: await historyPerTurn(ground.client, product, callbacks, 'product-history'),
      bare: await historyPerTurn(ground.client, bare, callbacks, 'bare-history'),
    },
    ...groups,
    insert: await insertCeiling(ground, ceilingMs),
    signalNew: await signalCeiling(ground, ceilingMs, 'new'),
    signalSame: await signalCeiling(ground, ceilingMs, 'same'),
    long: await compareEarlyAndLate(product, callbacks, { agentId, name: 'long', samples: full ? 60 : 24 }),
    idle: await growthAfterWarmUp(product, callbacks),
    load: [before, loadavg()[0] ?? Number.NaN],
  };
}

async function report(others: Record<string, PeerFigures>): Promise<void> {
  const tables = [
    measured && tableOf({ ...measured, peers: others }),
    byShare && tableByShare(byShare, others),
  ].filter((table) => table !== undefined);
  console.log(tables.join('\n\n'));
  if (json === undefined) return;
  const text = JSON.stringify({
    ...(measured && figuresOf({ ...measured, peers: others })),
    ...(byShare && figuresByShare(byShare, others)),
  });
  if (json !== true) await writeFile(json, `${text}\n`);
  console.log(text);
}

/**
 * Growth of API and worker over idle conversations. The first ones are not counted: they fill caches of limited size
 * and compile code, so counting them would measure the process and not a conversation.
 */
async function growthAfterWarmUp(product: Product, callbacks: Callbacks): Promise<IdleGrowth> {
  const agentId = await product.agent({ model: 'scripted/default' });
  await growthOfIdle(product, callbacks, { agentId, conversations: full ? 2500 : 600, name: 'idle-warm' });
  return growthOfIdle(product, callbacks, { agentId, conversations: full ? 2000 : 600, name: 'idle' });
}

async function openGroupRounds(
  on: Ground,
  of: Product,
  arriving: Callbacks,
): Promise<{ open: OpenGroups[]; reads: Rate[] }> {
  const agentId = await makeGroupingAgent(of);
  const open: OpenGroups[] = [];
  const reads: Rate[] = [];
  say(`inputs into open groups, and reads (Temporal: ${on.temporalAddress})`);
  const began = performance.now();
  for (let round = 0; round < rounds; round++) {
    if (round > 0 && performance.now() - began > openGroupsBudgetMs) break;
    reads.push(await readCeiling(of, ceilingMs));
    open.push(await measureOpenGroups(of, arriving, agentId, { ms: ceilingMs, name: `open-${round}` }));
  }
  return { open, reads };
}

async function warmUp(subjects: Record<string, RunningSubject>): Promise<void> {
  for (const [name, subject] of Object.entries(subjects)) {
    const options = { ms: 3000, inFlight: 10, conversations: 20, name: `${name}-warm` };
    await burst(subject, callbacks, options);
  }
}

/** A burst of the product alone; its processes write their profiles as they end. */
async function profileTurns(folder: string): Promise<void> {
  await warmUp({ product });
  const from = profileClock();
  const { cpu, turnsPerSecond, turns } = await measureRound(
    product,
    callbacks,
    ground.pids,
    { ...size, turns: 1, burst: { ms: full ? 30_000 : 10_000 } },
    'profile',
  );
  const to = profileClock();
  const { pids } = product;
  await product.stop();
  console.log(`${turnsPerSecond} turns/s while profiled; CPU ms a turn by process:`);
  for (const [name, ms] of Object.entries(cpu)) console.log(`  ${name.padEnd(10)} ${ms.toFixed(1)}`);
  const written = readProfiles(folder);
  for (const [name, pid] of Object.entries(pids)) {
    console.log(`\n${profileTable(name, selfTimes(written.get(pid) ?? [], from, to), turns)}`);
  }
}
