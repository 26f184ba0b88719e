/**
 * Creates the parts of the worker and runs it. After a stop signal, stops polling, and waits for the activities and
 * callbacks in progress (see `workerGraceMs` for the time limits).
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import {
  NativeConnection,
  Runtime,
  DefaultLogger,
  Worker,
  type WorkerOptions,
  type WorkflowBundleOption,
} from '@temporalio/worker';
import { loadClientConnectConfig } from '@temporalio/envconfig';
import { channelDeps } from './app/whatsapp/deps.ts';
import { docsDeps } from './app/workspace/deps.ts';
import { docsToolBox } from './app/workspace/docs-tool-box.ts';
import { joinedToolBox } from './app/workspace/tool-box.ts';
import { httpToolDeps } from './app/http-tools/deps.ts';
import { ownToolBox } from './app/own-tool-box.ts';
import { fetchedPerSecond, maxFetchBytes } from './app/conversations/fetch-file.ts';
import { BytePace, Slots } from './limits/limiter.ts';
import { Limiter } from './limits/limiter.ts';
import { createActivities } from '../activities/index.ts';
import { aroundActivities, Attempts, FairShares } from './worker/around-activities.ts';
import { Outbox } from './app/conversations/post-callback.ts';
import { RunChanges } from './app/conversations/advance-run.ts';
import { StreamOutbox } from './worker/stream-outbox.ts';
import { WarmConversations } from './worker/warm-conversations.ts';
import { findDueOfServed } from './adapters/postgres/conversations/serving.ts';
import { warmActivityMs } from './domain/time-limits.ts';
import { tracedActivities } from './worker/trace-activities.ts';
import { recoveryNudge, recoveryWorkflow, watchWorkflow } from './contract/workflows.ts';
import { connectWorkerDatabase } from './adapters/postgres/database.ts';
import { Notifications } from './adapters/postgres/notifications.ts';
import { verifyEncryptionKey } from './adapters/postgres/sealed-secrets.ts';
import { createEncryption } from './adapters/secrets/encryption.ts';
import { Runs } from './adapters/postgres/conversations/runs.ts';
import { setDefaultStorageLimit } from './adapters/postgres/data/storage.ts';
import { appendStreamEvents, beginStreamedStep } from './adapters/postgres/conversations/stream-events.ts';
import { countScriptFailure, maxRunFileBytes } from './adapters/postgres/conversations/transcript.ts';
import { modelAllow } from './adapters/models/found-servers.ts';
import { Models } from './adapters/models/models.ts';
import { readPrices } from './adapters/models/read-prices.ts';
import { NameResolver } from './adapters/http/name-resolver.ts';
import { withLoopback } from './adapters/http/loopback-http.ts';
import { createPublicHttp } from './adapters/http/public-http.ts';
import { isLoopbackAllowed } from './adapters/postgres/conversations/loopback-receivers.ts';
import { needsEagerActivitiesSetting } from './adapters/temporal/eager-activities.ts';
import { ensureSchedule } from './adapters/temporal/schedules.ts';
import { isLocalMode, readConfig } from './config.ts';
import { rehearsalWorkflows } from './adapters/temporal/rehearsal-workflows.ts';
import { readingTools, rehearsalModels } from './app/rehearsals/deps.ts';
import { connectConversations } from './adapters/temporal/conversation-workflows.ts';
import { createLog } from './log.ts';
import { startMetrics } from './observability/metric.ts';
import { observeProcess } from './observability/process-metrics.ts';
import { startPrivatePort } from './private-port.ts';
import { NotReady, readiness } from './readiness.ts';
import { seldom, seldomWarning } from './seldom.ts';
import { superviseModel } from './supervised-model.ts';
import { sendToParent, untilStopped, workerGraceMs } from './process-life.ts';

const nudgeDeadlineMs = 10_000;

// By default, V8 lets the old generation double before it collects garbage. Measured: one large page that was sent to a
// workspace left 100 MiB of garbage in a worker. The flag is set here, because NODE_OPTIONS does not accept it.
setFlagsFromString('--heap-growing-percent=40');

const { settings: config } = superviseModel(readConfig());
const log = createLog('worker', config.LOG_LEVEL);
const { OTEL_EXPORTER_OTLP_ENDPOINT: tracesUrl } = config;
const stopTracing =
  tracesUrl === undefined
    ? undefined
    : (await import('./observability/start-tracing.ts')).startTracing(
        'parley-worker',
        tracesUrl,
        config,
        log,
      );
Runtime.install({
  logger: new DefaultLogger('WARN', ({ level, message, meta }) => {
    const { error, workflowId, runId, activityType, attempt }: Record<string, unknown> = meta ?? {};
    log[level === 'ERROR' ? 'error' : 'warn'](
      { workflow_id: workflowId, temporal_run_id: runId, activity: activityType, attempt, err: error },
      message,
    );
  }),
});
const db = connectWorkerDatabase(config.DATABASE_URL, config.DATABASE_POOL);
const encryption = createEncryption(config.ENCRYPTION_KEY);
await verifyEncryptionKey(db, encryption);
await setDefaultStorageLimit(db, config.STORAGE_LIMIT_MEGABYTES);
const { client, namespace, workflows } = connectConversations(config, nudgeDeadlineMs);
const outbox = new Outbox();
const notifications = new Notifications(
  config.DATABASE_URL,
  seldomWarning(log, 'LISTEN failed; cancelled runs are noticed later'),
);
const prices = readPrices(config.MODEL_PRICES);
const names = new NameResolver({ servers: config.DNS_SERVERS });
const models = new Models(
  config,
  { encryption, http: createPublicHttp({ allow: modelAllow(config, isLocalMode(config)), names }) },
  (conversationId, rule, max) => countScriptFailure(db, conversationId, rule, max),
);
const attempts = new Attempts(db, config.LOST_WORKERS, (about, message) => {
  log.error(about, message);
});
const shares = new FairShares(
  Math.max(1, Math.floor(config.ACTIVITY_SLOTS * config.ORGANIZATION_ACTIVITY_SHARE)),
  seldom((organization_id: string, unlogged) => {
    log.warn(
      { organization_id, unlogged },
      'an organization uses its whole share of activity slots; its other activities wait',
    );
  }),
);
const warn = (about: Record<string, unknown>, message: string) => {
  log.warn(about, message);
};
const callLimits = {
  seconds: config.MODEL_TIMEOUT_SECONDS,
  outputTokens: config.MODEL_MAX_OUTPUT_TOKENS,
};
const docs = docsDeps(config, { db, models, prices, callLimits, encryption, shares, warn });
const httpTools = httpToolDeps({
  db,
  shares,
  encryption,
  http: createPublicHttp({ allow: config.TOOL_ALLOW, names }),
});
const warm =
  config.WARM_TURNS > 1
    ? new WarmConversations({
        worker: attempts.worker,
        limits: {
          maxRuns: config.WARM_TURNS,
          waitMs: config.WARM_SECONDS * 1000,
          activityMs: warmActivityMs(config.MODEL_TIMEOUT_SECONDS),
          // At most a quarter of the activity slots: a warm conversation occupies a slot while it waits, and other
          // activities need slots too.
          maxWarm: Math.min(config.WARM_MOST, Math.floor(config.ACTIVITY_SLOTS / 4)),
        },
        notifications,
        findDue: (served) => findDueOfServed(db, served),
        runEnded: (about) => {
          log[about.outcome === 'failed' ? 'warn' : 'debug'](about, 'warm run ended');
        },
        failed: seldomWarning(
          log,
          'due inputs of warm conversations could not be read; the next poll retries',
        ),
      })
    : undefined;
const modelSlots = new Slots(config.MODEL_CONCURRENCY);
const scriptSlots = new Slots(config.MODEL_CONCURRENCY);
// Counts each file once, although a model call holds it in memory about four times: as bytes, as base64, in the
// request's text, and in the bytes that are sent. The files can therefore use about four times as much memory as this
// limit.
const fileBytes = new Limiter({ max: 2 * maxRunFileBytes, maxPerOwner: maxRunFileBytes });
const tools = joinedToolBox(docsToolBox(docs), ownToolBox(httpTools));
const rehearsals = rehearsalWorkflows({ client, taskQueue: config.TASK_QUEUE, deadlineMs: nudgeDeadlineMs });
const callbackHttp = createPublicHttp({ allow: config.CALLBACK_ALLOW, names });
const activities = createActivities({
  ...(warm && { warm }),
  db,
  attempts,
  shares,
  runs: new Runs(db),
  models,
  isProduction: config.NODE_ENV === 'production',
  modelSlots,
  scriptSlots,
  fileBytes,
  fetchBytes: new Limiter({ max: maxFetchBytes, maxPerOwner: maxFetchBytes / 2 }),
  fetchPace: new BytePace(fetchedPerSecond),
  prices,
  callLimits,
  tools,
  rehearsals: {
    db,
    attempts,
    shares,
    modelSlots,
    scriptSlots,
    fileBytes,
    prices,
    callLimits,
    warn,
    sleep,
    models: rehearsalModels(models),
    tools: readingTools(tools),
  },
  docs,
  httpTools,
  http: isLocalMode(config)
    ? withLoopback(callbackHttp, { names, isAllowed: (...of) => isLoopbackAllowed(db, ...of) })
    : callbackHttp,
  encryption,
  outbox,
  changes: new RunChanges(notifications),
  streams: new StreamOutbox({
    append: (events) => appendStreamEvents(db, events),
    begin: (runId, step, writer) => beginStreamedStep(db, runId, step, writer),
    failed: seldomWarning(log, 'text of a stream could not be stored and is written again'),
  }),
  callbackTimeoutMs: config.CALLBACK_TIMEOUT_SECONDS * 1000,
  callbackLookupMs: config.CALLBACK_LOOKUP_SECONDS * 1000,
  warn,
  sleep,
  startRehearsal: (lost) => rehearsals.start(lost),
  workflows: {
    ...workflows,
    // `recoveryNudge` makes the workflow check the rows at once. If the nudge contained this machine's time instead,
    // and its clock were ahead, the workflow would wait until that time.
    nudge: (conversation, replace) => workflows.nudge(conversation, recoveryNudge, replace),
  },
  channel: channelDeps(config, encryption, names),
});

const { connectionOptions } = loadClientConnectConfig();
const connection = await NativeConnection.connect(connectionOptions);
const code: WorkflowBundleOption | undefined =
  config.WORKFLOW_BUNDLE === undefined ? undefined : { codePath: config.WORKFLOW_BUNDLE };
const { TASK_QUEUE, TOOL_TASK_QUEUE = TASK_QUEUE, CHANNEL_TASK_QUEUE = TASK_QUEUE } = config;
const served =
  config.WORKER_TASK_QUEUES.length > 0
    ? config.WORKER_TASK_QUEUES
    : [TASK_QUEUE, TOOL_TASK_QUEUE, CHANNEL_TASK_QUEUE];
const options: WorkerOptions = {
  connection,
  namespace,
  taskQueue: TASK_QUEUE,
  identity: `worker-${process.pid}`,
  ...(code
    ? { workflowBundle: code }
    : { workflowsPath: fileURLToPath(new URL('../workflows/index.ts', import.meta.url)) }),
  activities,
  interceptors: {
    activity: [aroundActivities(log), ...(stopTracing === undefined ? [] : [tracedActivities(db)])],
  },
  maxCachedWorkflows: config.WORKFLOW_CACHE,
  maxConcurrentActivityTaskExecutions: config.ACTIVITY_SLOTS,
  maxConcurrentWorkflowTaskExecutions: 40,
  // With autoscaling, the first tasks of new conversations have their own pollers. Otherwise, a burst of new
  // conversations would have to wait for a few shared pollers.
  workflowTaskPollerBehavior: { type: 'autoscaling', minimum: 2, initial: 10, maximum: 40 },
  stickyQueueScheduleToStartTimeout: '5s',
  shutdownGraceTime: workerGraceMs,
  shutdownForceTime: workerGraceMs + 5000,
};
const { serverVersion } = await connection.workflowService.getSystemInfo({});
if (needsEagerActivitiesSetting(serverVersion)) {
  log.warn(
    { temporal_server: serverVersion },
    'this Temporal server is older than 1.32; without system.enableActivityEagerExecution each turn waits longer',
  );
}
const workers = await Promise.all(
  [...new Set(served)].map((taskQueue) => Worker.create({ ...options, taskQueue })),
);
await ensureSchedule(client, {
  taskQueue: config.TASK_QUEUE,
  workflow: recoveryWorkflow,
  everySeconds: config.SWEEP_SECONDS,
});
await ensureSchedule(client, {
  taskQueue: config.TASK_QUEUE,
  workflow: watchWorkflow,
  everySeconds: config.GATEWAY_WATCH_SECONDS,
});
const reach = {
  postgres: () => db.pool.query('select 1'),
  temporal: () => client.withDeadline(Date.now() + 2000, () => client.workflowService.getSystemInfo({})),
};
if (config.WORKER_PORT !== undefined) observeProcess(db, reach);
const privatePort =
  config.WORKER_PORT === undefined
    ? undefined
    : await startPrivatePort({
        host: config.HOST,
        port: config.WORKER_PORT,
        alive: () => workers.every((one) => one.getState() !== 'FAILED'),
        ready: readiness(log, {
          worker: async () => {
            const idle = workers.find((one) => one.getState() !== 'RUNNING');
            if (idle !== undefined) throw new NotReady(`worker ${idle.getState()}`);
            return Promise.resolve();
          },
          Postgres: reach.postgres,
          Temporal: reach.temporal,
        }),
        metrics: startMetrics(),
      });
await attempts.start();
const running = Promise.all(workers.map((one) => one.run()));
sendToParent({ type: 'running' });
log.info('worker polls');
void untilStopped().then(() => {
  warm?.stop();
  // If `leave` fails, for example because Postgres is unavailable, the shutdown continues.
  void attempts.leave().catch(() => undefined);
  for (const one of workers) if (one.getState() === 'RUNNING') one.shutdown();
});
await running;
await outbox.drain();
attempts.stop();
await privatePort?.close();
await stopTracing?.();
await connection.close();
await notifications.close();
await db.close();
process.exit(0);
