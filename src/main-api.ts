/**
 * Creates the parts of the API and runs it. After a stop signal, accepts no new connections, and waits up to
 * `apiDrainMs` for the requests in progress.
 */
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { toolDefinitions } from './workspace/registry.ts';
import { connectApiDatabase, connectDatabase } from './adapters/postgres/database.ts';
import { acrossOrganizations } from './adapters/postgres/organization-scope.ts';
import { countOpenRuns } from './adapters/postgres/conversations/open-runs.ts';
import { Notifications } from './adapters/postgres/notifications.ts';
import { RunAnswers } from './adapters/postgres/conversations/run-answers.ts';
import { RunStreams } from './adapters/postgres/conversations/run-streams.ts';
import { verifyEncryptionKey } from './adapters/postgres/sealed-secrets.ts';
import { channelWorkflows } from './adapters/temporal/channel-workflows.ts';
import { createEncryption } from './adapters/secrets/encryption.ts';
import { createFileLinks } from './adapters/secrets/file-links.ts';
import { modelAllow } from './adapters/models/found-servers.ts';
import { defaultModel } from './adapters/models/models.ts';
import { createGateway } from './adapters/whatsapp/gateway.ts';
import { NameResolver } from './adapters/http/name-resolver.ts';
import { withLoopback } from './adapters/http/loopback-http.ts';
import { createPublicHttp } from './adapters/http/public-http.ts';
import { isLoopbackAllowed } from './adapters/postgres/conversations/loopback-receivers.ts';
import { docsOAuth } from './workspace/client/oauth.ts';
import { rehearsalWorkflows } from './adapters/temporal/rehearsal-workflows.ts';
import { toolWorkflows } from './adapters/temporal/tool-workflows.ts';
import { createWorkspaceCredentials } from './app/workspace/credentials.ts';
import { createLocalModels } from './app/models/local-models.ts';
import { createModelProviders } from './app/models/model-providers.ts';
import { createHealthChecks } from './app/data/health.ts';
import { MonthlyLimits } from './adapters/postgres/data/usage.ts';
import { createMailer } from './adapters/accounts/mailer.ts';
import { IdentityProviders } from './adapters/accounts/identity-providers.ts';
import { authInTransactions, createAuth } from './adapters/accounts/auth.ts';
import { createMails } from './api/accounts/mails.ts';
import { mailWaiting } from './api/accounts/waiting-mails.ts';
import { createPasswordGuard } from './api/accounts/password-guard.ts';
import { createResetRequests } from './api/accounts/reset-requests.ts';
import { createApp } from './api/app.ts';
import { perSecond, RateLimiter } from './adapters/postgres/rate-limiter.ts';
import { boundConnections, TokenAuthentication } from './api/admit.ts';
import { RequestLog } from './api/request-log.ts';
import { ChannelSteps } from './app/whatsapp/channel-steps.ts';
import { createConversationStarter, nudgeOverdue } from './app/conversations/accept-input.ts';
import { createWebhooks } from './app/conversations/webhooks.ts';
import { createToolConnections } from './app/workspace/connect-workspace.ts';
import { createToolRunner } from './app/workspace/run-tool.ts';
import { createHttpTools } from './app/http-tools/http-tools.ts';
import { createMcpServers } from './app/mcp-servers/mcp-servers.ts';
import { createMcpSignIns } from './app/mcp-servers/sign-in.ts';
import { isLocalMode, publicOrigin, readConfig } from './config.ts';
import { connectConversations } from './adapters/temporal/conversation-workflows.ts';
import { createLog } from './log.ts';
import { WorkerNotifier } from './adapters/postgres/worker-notifier.ts';
import { NotReady, readiness } from './readiness.ts';
import { countPoolShareReached, observeOpenRuns } from './observability/api-metrics.ts';
import { startMetrics } from './observability/metric.ts';
import { observeProcess } from './observability/process-metrics.ts';
import { startPrivatePort } from './private-port.ts';
import { seldom, seldomWarning } from './seldom.ts';
import { superviseModel } from './supervised-model.ts';
import { apiDrainMs, untilStopped, sendToParent, onParentMessage } from './process-life.ts';

/** Maximum milliseconds in which the headers of a request must arrive. Chosen. */
const headersTimeoutMs = 20_000;
/** Milliseconds between two of Node's checks. Each check closes the connections that exceed a timeout. Chosen. */
const connectionCheckMs = 5000;
/**
 * Timeout of a call to Temporal that starts, nudges or cancels a workflow, and maximum wait at shutdown for the nudges
 * in progress, in milliseconds. Chosen.
 */
const nudgeDeadlineMs = 4000;
/** Rate limit of an organization's test callbacks. Chosen: enough for a person, too few to overload the receiver. */
const testCallbackRate = { maxCalls: 20, windowSeconds: 60 };
/** Maximum milliseconds of a channel check, including the wait for a worker that is starting. Chosen. */
const channelDeadlineMs = 45_000;

const supervisedModel = superviseModel(readConfig());
const { settings: config } = supervisedModel;
const log = createLog('api', config.LOG_LEVEL);
const { OTEL_EXPORTER_OTLP_ENDPOINT: tracesUrl } = config;
const stopTracing =
  tracesUrl === undefined
    ? undefined
    : (await import('./observability/start-tracing.ts')).startTracing('parley-api', tracesUrl, config, log);
const warnOfShare = seldom((organization_id: string, unlogged) => {
  log.warn(
    { organization_id, unlogged },
    'an organization uses its whole share of database connections; its other queries wait',
  );
});
const poolShare = {
  share: config.ORGANIZATION_DATABASE_SHARE,
  reached: (organization: string) => {
    countPoolShareReached({});
    warnOfShare(organization);
  },
};
const { DATABASE_URL: url, DATABASE_ACROSS_URL: across, DATABASE_ACCOUNTS_URL: accounts } = config;
if (across === undefined || accounts === undefined) {
  log.warn(
    'the API has one login for all of its queries; with one for each role the database itself confines them (docs/deploy.md#logins)',
  );
}
const db =
  across === undefined || accounts === undefined
    ? connectDatabase(url, config.DATABASE_POOL, poolShare)
    : connectApiDatabase({ organization: url, across, accounts }, config.DATABASE_POOL, poolShare);
const { client, workflows } = connectConversations(config, nudgeDeadlineMs);
const authentication = new TokenAuthentication(db);
const requests = new RequestLog(db, seldomWarning(log, 'requests could not be logged; their rows are lost'));
const notifications = new Notifications(
  config.DATABASE_URL,
  seldomWarning(log, 'LISTEN failed; polling continues'),
);
const readFailed = seldomWarning(log, 'answers and streams could not be read; the next poll retries');
const answers = new RunAnswers(db, notifications, readFailed);
const streams = new RunStreams(db, notifications, readFailed);
const encryption = createEncryption(config.ENCRYPTION_KEY);
const origin = publicOrigin(config);
const consoleOrigin = new URL(config.PUBLIC_URL ?? `http://${config.HOST}:${config.PORT}`).origin;
const names = new NameResolver({ servers: config.DNS_SERVERS });
const channels = new ChannelSteps({
  db,
  encryption,
  gateway: createGateway(createPublicHttp({ allow: config.GATEWAY_ALLOW, names })),
  workflows: channelWorkflows({
    client,
    taskQueue: config.CHANNEL_TASK_QUEUE ?? config.TASK_QUEUE,
    deadlineMs: channelDeadlineMs,
  }),
  origin,
});
const authOptions = { encryptionKey: config.ENCRYPTION_KEY, origin: consoleOrigin };
const definitions = toolDefinitions();
const oauth = docsOAuth(config);
const runner = createToolRunner(
  db,
  toolWorkflows({
    client,
    taskQueue: config.TOOL_TASK_QUEUE ?? config.TASK_QUEUE,
    deadlineMs: nudgeDeadlineMs,
  }),
  config.SYNC_TIMEOUT_SECONDS * 1000,
);
const tools = {
  definitions,
  connections: createToolConnections({
    db,
    credentials: createWorkspaceCredentials(db, encryption, oauth, config.DOCS_API_URL),
    oauth,
    apiUrl: config.DOCS_API_URL,
  }),
  runner,
};
const callRate = (name: string, limit: number | 'off') =>
  limit === 'off' ? undefined : new RateLimiter(db, name, perSecond(limit));
const rates = {
  token: callRate('token', config.RATE_LIMIT),
  organization: callRate('organization', config.ORGANIZATION_RATE_LIMIT),
};
const mcpDeps = { db, encryption, http: createPublicHttp({ allow: config.TOOL_ALLOW, names }) };
const modelHttp = createPublicHttp({ allow: modelAllow(config, isLocalMode(config)), names });
const monthlyLimits = new MonthlyLimits(db);
const publicCallbackHttp = createPublicHttp({ allow: config.CALLBACK_ALLOW, names });
const callbackHttp = isLocalMode(config)
  ? withLoopback(publicCallbackHttp, { names, isAllowed: (...of) => isLoopbackAllowed(db, ...of) })
  : publicCallbackHttp;
let supervisorReady = !config.SUPERVISED;
const reach = {
  postgres: () => acrossOrganizations(() => db.pool.query('select 1')),
  temporal: () => client.withDeadline(Date.now() + 2000, () => client.workflowService.getSystemInfo({})),
};
const workerNotifier = new WorkerNotifier(
  config.DATABASE_URL,
  seldomWarning(log, 'a worker could not be notified of an input; its next poll finds it'),
);
const conversations = createConversationStarter(
  db,
  workflows,
  log,
  config.MAX_QUEUE_AGE_SECONDS * 1000,
  config.WARM_TURNS > 1 ? workerNotifier : undefined,
);
const overdue = nudgeOverdue(
  db,
  (conversation) => conversations.nudge(conversation),
  seldomWarning(log, 'overdue inputs could not be read; the next round retries'),
);
const mails = createMails({
  db,
  log,
  origin: consoleOrigin,
  encryptionKey: config.ENCRYPTION_KEY,
  mailer: config.SMTP_URL === undefined ? undefined : createMailer(config.SMTP_URL, config.SMTP_FROM ?? ''),
});
const waitingMails = mails.areSent
  ? mailWaiting(db, mails, seldomWarning(log, 'mails about waiting conversations could not be sent'))
  : undefined;
const auth = createAuth({ pool: db.pool, ...authOptions });
const resetRequests = createResetRequests({ db, log, auth, mails, origin: consoleOrigin });
let temporalReached = false;
/**
 * Until Temporal has been reached for the first time, rejects if Temporal is unreachable. Afterwards, rejects only if
 * Temporal has been unreachable for longer than MAX_QUEUE_AGE_SECONDS, because the API accepts messages for as long as
 * that. They wait in Postgres.
 */
const temporalReady = async () => {
  if (temporalReached && conversations.accepts()) return;
  await reach.temporal();
  temporalReached = true;
};
let keyVerified = false;
const ready = readiness(log, {
  supervisor: () => (supervisorReady ? Promise.resolve() : Promise.reject(new NotReady('starting'))),
  Postgres: reach.postgres,
  ENCRYPTION_KEY: () =>
    keyVerified ? Promise.resolve() : Promise.reject(new NotReady('ENCRYPTION_KEY is not verified yet')),
  Temporal: temporalReady,
});

const app = createApp({
  deps: {
    config,
    db,
    log,
    conversations,
    answers,
    streams,
    monthlyLimits,
    health: createHealthChecks(db, monthlyLimits, () => defaultModel(config)),
    channels,
    fileLinks: createFileLinks(config.ENCRYPTION_KEY, origin),
    tools,
    rehearsals: rehearsalWorkflows({ client, taskQueue: config.TASK_QUEUE, deadlineMs: nudgeDeadlineMs }),
    httpTools: createHttpTools(db, encryption, runner),
    mcpServers: createMcpServers(mcpDeps, runner),
    mcpSignIns: createMcpSignIns(mcpDeps, `${origin}/v1`),
    models: createModelProviders({
      db,
      encryption,
      settings: config,
      http: modelHttp,
    }),
    localModels: createLocalModels({
      db,
      http: modelHttp,
      supervised: isLocalMode(config) ? supervisedModel : undefined,
    }),
    webhooks: createWebhooks({
      db,
      encryption,
      conversations,
      http: callbackHttp,
      callbackTimeoutMs: config.CALLBACK_TIMEOUT_SECONDS * 1000,
      testRate: new RateLimiter(db, 'test-callback', testCallbackRate),
      offersLoopback: isLocalMode(config),
    }),
    toolNames: new Set(definitions.map(({ action }) => action)),
    auth,
    authIn: authInTransactions(authOptions),
    mails,
    resetRequests,
    providers: new IdentityProviders({
      providers: config.OIDC_PROVIDERS,
      origin: consoleOrigin,
      log,
      http: ({ issuer }) => createPublicHttp({ allow: [new URL(issuer).host], names }),
    }),
    passwords: createPasswordGuard(db, config.ENCRYPTION_KEY),
    origin: consoleOrigin,
  },
  authentication,
  requests,
  consoleFolder: fileURLToPath(new URL('../dist/console', import.meta.url)),
  rates,
  ready,
});
verifyEncryptionKey(db, encryption).then(
  () => {
    keyVerified = true;
  },
  (error: unknown) => {
    log.fatal({ err: error }, 'the API cannot work with this database');
    process.exit(1);
  },
);
if (config.METRICS_PORT !== undefined) {
  observeProcess(db, reach);
  observeOpenRuns(() => acrossOrganizations(() => countOpenRuns(db)));
}
const privatePort =
  config.METRICS_PORT === undefined
    ? undefined
    : await startPrivatePort({
        host: config.HOST,
        port: config.METRICS_PORT,
        alive: () => true,
        ready,
        metrics: startMetrics(),
      });
const requestTimeoutMs = config.REQUEST_TIMEOUT_SECONDS * 1000;
const server = createServer(
  {
    keepAliveTimeout: 65_000,
    requestTimeout: requestTimeoutMs,
    // Node throws an error if this value is above requestTimeout.
    headersTimeout: Math.min(headersTimeoutMs, requestTimeoutMs),
    connectionsCheckingInterval: Math.min(connectionCheckMs, requestTimeoutMs),
  },
  app,
);
boundConnections(server, config.MAX_CONNECTIONS);
server.on('error', (error) => {
  log.fatal({ err: error }, 'the API cannot listen');
  process.exit(1);
});
server.listen(config.PORT, config.HOST, () => {
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : config.PORT;
  log.info({ port }, 'API listens');
  sendToParent({ type: 'listening', port });
});
onParentMessage('ready', () => {
  supervisorReady = true;
});

await untilStopped();
const forced = setTimeout(() => {
  server.closeAllConnections();
}, apiDrainMs);
await new Promise((resolve) => {
  server.close(resolve);
  server.closeIdleConnections();
});
clearTimeout(forced);
await overdue.close();
await waitingMails?.close();
await resetRequests.close();
await conversations.close(nudgeDeadlineMs);
await workerNotifier.close();
await privatePort?.close();
await stopTracing?.();
await authentication.close();
await requests.close();
answers.close();
streams.close();
await notifications.close();
await db.close();
process.exit(0);
