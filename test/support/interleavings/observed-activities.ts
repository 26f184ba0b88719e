/** The real activities on the real rows, with a model, a receiver and accidents that the interleaving decides. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Activities } from '../../../activities/index.ts';
import type { ActivityDeps } from '../../../src/app/deps.ts';
import { channelDeps } from '../../../src/app/whatsapp/deps.ts';
import { docsDeps } from '../../../src/app/workspace/deps.ts';
import { httpToolDeps } from '../../../src/app/http-tools/deps.ts';
import { createEncryption } from '../../../src/adapters/secrets/encryption.ts';
import { Outbox } from '../../../src/app/conversations/post-callback.ts';
import { RunChanges } from '../../../src/app/conversations/advance-run.ts';
import { Limiter } from '../../../src/limits/limiter.ts';
import { BytePace, Slots } from '../../../src/limits/limiter.ts';
import { StreamOutbox } from '../../../src/worker/stream-outbox.ts';
import type { Database } from '../../../src/adapters/postgres/database.ts';
import {
  ModelFault,
  transferTool,
  type Model,
  type ModelRequest,
} from '../../../src/adapters/models/model.ts';
import { NameResolver } from '../../../src/adapters/http/name-resolver.ts';
import type { PublicHttp, Target } from '../../../src/adapters/http/public-http.ts';
import { Runs, type Claimed, type NewStep } from '../../../src/adapters/postgres/conversations/runs.ts';
import type { PriceTable } from '../../../src/domain/conversations/model-call.ts';
import type { RunOutcome } from '../../../src/domain/conversations/run-outcome.ts';
import { readCallback } from '../receiver.ts';
import type { Cast } from './cast.ts';
import { callbackLine, markOf } from './observation.ts';
import { WorkerLost, type Clock, type Scene } from './scene.ts';
import { unguarded, unshared } from '../one-worker.ts';

export const faultText = 'down';
/** The process that runs an activity. */
const life = new AsyncLocalStorage<{ killed: boolean }>();

const encryption = createEncryption(undefined);
const channel = channelDeps(
  {
    GATEWAY_ALLOW: [],
    GATEWAY_TIMEOUT_SECONDS: 1,
    GATEWAY_ASK_SECONDS: 1,
    GATEWAY_WATCH_SECONDS: 1,
    GATEWAY_PACE: 'none',
    GATEWAY_SENDS_PER_MINUTE: 'off',
    GATEWAY_FILE_LINKS: false,
    GATEWAY_MESSAGE_EVENT: false,
    HOST: '127.0.0.1',
    PORT: 9,
    PUBLIC_URL: undefined,
    ENCRYPTION_KEY: undefined,
  },
  encryption,
  new NameResolver(),
);

const noWorkspace = {
  HOST: '127.0.0.1',
  PORT: 9,
  DOCS_API_URL: 'http://127.0.0.1:9',
  DOCS_TIMEOUT_SECONDS: 1,
  DOCS_PATIENCE_SECONDS: 1,
  DOCS_REQUESTS_PER_SECOND: 1,
  DOCS_REQUESTS_BURST: 1,
};

/** @param createActivities the real ones, or the same with the SDK's own imports replaced */
export function observedActivities(
  createActivities: (deps: ActivityDeps) => Activities,
  db: Database,
  cast: Cast,
  clock: Clock,
): Activities {
  const sceneOf = (id: string): Scene => {
    const scene = cast.scenes.get(id);
    if (scene === undefined) throw new Error(`no scene of ${id}`);
    return scene;
  };
  const models = { find: () => model(sceneOf), idOf: () => model(sceneOf).id };
  const slots = new Slots(1000);
  const fileBytes = new Limiter({ max: 1, maxPerOwner: 1 });
  const sleep = async (ms: number) => {
    await clock.sleep(ms);
  };
  const activities = createActivities({
    db,
    shares: unshared,
    attempts: unguarded,
    runs: new SeenRuns(db, sceneOf, cast),
    models,
    docs: docsDeps(noWorkspace, {
      callLimits: { seconds: 1, outputTokens: 1 },
      db,
      models,
      prices: {},
      encryption,
      shares: unshared,
      warn: () => undefined,
    }),
    httpTools: httpToolDeps({ db, encryption, shares: unshared, http: receiver(sceneOf) }),
    isProduction: false,
    modelSlots: slots,
    scriptSlots: slots,
    fileBytes,
    fetchBytes: new Limiter({ max: 1, maxPerOwner: 1 }),
    fetchPace: new BytePace(1),
    prices: {},
    tools: {
      definitionsFor: () => Promise.resolve([]),
      reads: () => Promise.resolve(true),
      belongsToAll: () => false,
      giveUp: () => Promise.resolve(),
      run: () => Promise.resolve({ successful: true, text: 'done' }),
    },
    http: receiver(sceneOf),
    encryption,
    // An attempt that was left behind is given no time: its process is known to be gone.
    callbackTimeoutMs: -2000,
    callbackLookupMs: 0,
    callLimits: { seconds: 1, outputTokens: 1 },
    warn: () => undefined,
    outbox: new Outbox(),
    changes: new RunChanges({ on: () => undefined, connect: () => undefined }),
    streams: new StreamOutbox({
      append: () => Promise.resolve(),
      begin: () => Promise.resolve(),
      failed: () => undefined,
    }),
    sleep,
    channel,
    rehearsals: {
      ...{ db, shares: unshared, attempts: unguarded, models, fileBytes, sleep, prices: {} },
      ...{ modelSlots: slots, scriptSlots: slots, callLimits: { seconds: 1, outputTokens: 1 } },
      tools: { definitionsFor: () => Promise.resolve([]), read: () => Promise.resolve(undefined) },
      warn: () => undefined,
    },
    startRehearsal: () => Promise.resolve(),
    workflows: {
      state: () => Promise.resolve({ kind: 'running', failing: false, idle: false }),
      nudge: () => Promise.resolve(),
      erase: () => Promise.resolve(false),
      eraseOfOrganization: () => Promise.resolve(false),
    },
  });
  const tellScene = (args: readonly unknown[]) => cast.scenes.get(String(args[0]));
  return Object.fromEntries(
    Object.entries(activities).map(([name, activity]) => [
      name,
      async (...args: never[]) =>
        await withAccident(
          tellScene(args),
          name,
          async () => await (activity as (...all: never[]) => Promise<unknown>)(...args),
        ),
    ]),
  ) as Activities;
}

async function withAccident(
  scene: Scene | undefined,
  name: string,
  act: () => Promise<unknown>,
): Promise<unknown> {
  const accident =
    name === 'startRun' || name === 'startFollowUp' || name === 'continueRun' ? scene?.accident() : undefined;
  if (name === 'startRun') scene?.claimBegins();
  if (accident === 'before') throw new WorkerLost();
  if (accident === 'zombie' && scene) {
    scene.late.push(
      scene.clock
        .sleep(15_000 + (scene.plan.seed % 3))
        .then(act)
        .catch(() => undefined),
    );
    throw new WorkerLost();
  }
  const process = { killed: false };
  const result = await life.run(process, act);
  if (process.killed || accident === 'after') throw new WorkerLost();
  return result;
}

function model(sceneOf: (id: string) => Scene): Model {
  return {
    id: 'scripted/default',
    ask: async ({ conversationId, input, kind, transfers }: ModelRequest) => {
      const scene = sceneOf(conversationId);
      const reply = scene.plan.replies[scene.asked++] ?? { ms: 0, does: 'answer' };
      if (reply.ms > 0) await scene.clock.sleep(reply.ms);
      if (reply.does === 'fail' || reply.does === 'failOnce')
        throw new ModelFault(faultText, { retryable: reply.does === 'failOnce' });
      const said = {
        model: 'scripted/default',
        inputTokens: 0,
        outputTokens: 0,
        truncated: false,
        historyTurns: 0,
        wasCut: false,
        calls: [],
      };
      const call = (name: string, given: unknown) => [{ callId: 'c', name, input: given }];
      switch (reply.does) {
        case 'empty':
          return { ...said, text: '' };
        case 'transfer':
          return {
            ...said,
            text: reply.ms === 0 ? '' : 'over to',
            calls: call(transferTool, { agent: transfers[0]?.name }),
          };
        case 'tools':
          return { ...said, text: '', calls: call('TOOL', {}) };
        case 'answer':
          return { ...said, text: `re ${kind === 'follow_up' ? 'silence' : input.replaceAll('\n', '+')}` };
      }
    },
  };
}

function receiver(sceneOf: (id: string) => Scene): PublicHttp {
  return {
    mayBeException: () => true,
    prepare: (url) => Promise.resolve({ kind: 'allowed', target: { url: new URL(url) } as Target }),
    send: async (target, { body }) => {
      const said = readCallback(String(body));
      const scene = sceneOf(said.conversation_id);
      const dies = scene.accident() === 'posting';
      const { metadata } = JSON.parse(String(body)) as { metadata?: { n?: unknown } };
      const meta = metadata?.n;
      const line = callbackLine(
        target.url.href,
        said.event === 'message.error'
          ? markOf('fail', 0)
          : markOf(said.pre_transfer ? 'transfer' : 'answer', said.followup_attempt ?? 0),
        scene.agentIds.indexOf(said.agent_id),
        said.event === 'message.error' ? said.error : said.response,
        typeof meta === 'number' ? meta : undefined,
      );
      let until = 0;
      await scene.see(
        async () => {
          await scene.clock.sleep(scene.plan.postMs[scene.posted++] ?? 0);
          until = await scene.clock.now();
        },
        (_, t) => ({ kind: 'send', t, until, body: line, killed: dies }),
      );
      if (dies) {
        const process = life.getStore();
        if (process) process.killed = true;
        throw new WorkerLost();
      }
      return {
        outcome: 'answered',
        status: 200,
        headers: {},
        body: Buffer.alloc(0),
        truncated: false,
        bodyComplete: true,
        durationMs: 1,
      };
    },
    request: () => Promise.reject(new Error('no attachments here')),
  };
}

/** Every statement at the scene's time, with what it answered. */
class SeenRuns extends Runs {
  readonly #sceneOf: (id: string) => Scene;
  readonly #cast: Cast;

  constructor(db: Database, sceneOf: (id: string) => Scene, cast: Cast) {
    super(db);
    this.#sceneOf = sceneOf;
    this.#cast = cast;
  }

  override async claim(
    conversationId: string,
    prices: PriceTable,
    claimant: { id: string; repeated: boolean },
    flush = false,
  ): Promise<Claimed> {
    const began = this.#sceneOf(conversationId).claimBegan;
    const scene = this.#sceneOf(conversationId);
    return await scene.see(
      async (t) => this.#known(scene, await at(scene, t).claim(conversationId, prices, claimant, flush)),
      (claim, t) => {
        const asked = { kind: 'claim' as const, t, flush, began };
        if (claim.next === 'run')
          return { ...asked, got: 'run', run: claim.run.id, inputs: claim.run.inputs.join() };
        if ('runId' in claim) return { ...asked, got: 'ended', run: claim.runId };
        if (claim.next !== 'waiting' && claim.next !== 'idle') throw new Error(claim.next);
        if (claim.deliveries) return { ...asked, got: 'deliver', idle: claim.next === 'idle' };
        return claim.next === 'idle'
          ? { ...asked, got: 'idle' }
          : { ...asked, got: 'waiting', until: claim.wakeAt };
      },
    );
  }

  override async claimFollowUp(
    conversationId: string,
    of: string,
    attempt: number,
    prices: PriceTable,
  ): Promise<Claimed> {
    const scene = this.#sceneOf(conversationId);
    return await scene.see(
      async (t) => this.#known(scene, await at(scene, t).claimFollowUp(conversationId, of, attempt, prices)),
      (claim, t) => {
        const asked = { kind: 'followUp' as const, t, of, attempt };
        if (claim.next === 'run') return { ...asked, got: 'run', run: claim.run.id };
        if (claim.next === 'superseded') return { ...asked, got: 'superseded', run: '' };
        if ('runId' in claim) return { ...asked, got: 'ended', run: '' };
        throw new Error(claim.next);
      },
    );
  }

  override async record(step: NewStep): Promise<RunOutcome | { next: 'stale' }> {
    const scene = this.#sceneOf(step.run_id);
    return await scene.see(
      async (t) => await at(scene, t).record(step),
      ({ next }, t) => {
        const { run_id: run, step: number, kind, text, inputs } = step;
        return { kind: 'step', t, run, step: number, did: next === 'stale' ? next : kind, text, inputs };
      },
    );
  }

  override async fail(runId: string): Promise<RunOutcome> {
    const scene = this.#sceneOf(runId);
    return await scene.see(
      async (t) => await at(scene, t).fail(runId),
      (_, t) => ({ kind: 'step', t, run: runId, step: 0, did: 'fail', text: faultText }),
    );
  }

  #known(scene: Scene, claim: Claimed): Claimed {
    if (claim.next === 'run') this.#cast.scenes.set(claim.run.id, scene);
    return claim;
  }
}

function at(scene: Scene, t: number): Runs {
  return new Runs(scene.db, () => new Date(t));
}
