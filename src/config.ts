/**
 * Reads the environment into a frozen Config. No other code of the API or the worker reads process.env. Libraries, such
 * as the SDKs of Temporal and OpenTelemetry, also read variables of their own.
 */
import { z } from 'zod';
import { isIP } from 'node:net';
import { localModelAccess } from './contract/models/local-model.ts';
import { identityProviders } from './contract/accounts/identity-providers.ts';
import { checkNameServers } from './adapters/http/name-resolver.ts';
import { settingSeconds } from './domain/time-limits.ts';
import { withSettingFiles } from './setting-files.ts';

/** Returns the schema of a setting in seconds, with the bounds in `settingSeconds`. */
const seconds = (name: keyof typeof settingSeconds, fallback: number) => {
  const [min, max, reason] = settingSeconds[name];
  return z.coerce
    .number(`must be a number of seconds, from ${min} to ${max}`)
    .min(min, `must be at least ${min} seconds`)
    .max(max, `must be at most ${max} seconds: ${reason}`)
    .default(fallback);
};
const portProblem = 'must be a port: a whole number from 0 to 65535';
/** Schema of a setting that is a port; 0 means any free port. */
export const port = z.coerce
  .number(portProblem)
  .int(portProblem)
  .min(0, portProblem)
  .max(65_535, portProblem);
const share = (fallback: number) => z.coerce.number().gt(0).max(1).default(fallback);
const perSecond = (fallback: number) =>
  z.union([z.literal('off'), z.coerce.number().positive()]).default(fallback);
const list = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split(',')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== ''),
  );
const json = z.string().transform((text, context): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    context.addIssue('must be JSON');
    return z.NEVER;
  }
});

/** Names of private address ranges that Express accepts for `trust proxy`. */
const proxyRanges = ['loopback', 'linklocal', 'uniquelocal'];

function isProxyAddress(entry: string): boolean {
  const [, address = '', prefix = '0'] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(entry) ?? [];
  const family = isIP(address);
  return proxyRanges.includes(entry) || (family !== 0 && Number(prefix) <= (family === 4 ? 32 : 128));
}

/** docs/settings.md describes each setting. */
const environment = z.object({
  NODE_ENV: z.string().default('development'),
  HOST: z.string().default('127.0.0.1'),
  PORT: port.default(3000),
  PUBLIC_URL: z.url().optional(),
  SMTP_URL: z.url({ protocol: /^smtps?$/, error: 'must be an smtp:// or smtps:// URL' }).optional(),
  SMTP_FROM: z.email().optional(),
  /** JSON array of the OpenID Connect providers at which people can sign in to the console. */
  OIDC_PROVIDERS: json.prefault('[]').pipe(identityProviders),
  TRUST_PROXY: list
    .refine(
      (entries) =>
        (entries.length === 1 && /^\d{1,2}$/.test(entries[0] ?? '')) || entries.every(isProxyAddress),
      'must be a number of proxies, or addresses and CIDR ranges separated by commas',
    )
    .transform((entries) => (/^\d+$/.test(entries[0] ?? '') ? Number(entries[0]) : entries)),
  DATABASE_URL: z.string().min(1),
  /**
   * Connection URLs of two further database logins of the API: for queries across organizations, and for accounts. Set
   * both or neither (docs/deploy.md).
   */
  DATABASE_ACROSS_URL: z.string().min(1).optional(),
  DATABASE_ACCOUNTS_URL: z.string().min(1).optional(),
  DATABASE_POOL: z.coerce.number().int().min(1).default(12),
  ORGANIZATION_DATABASE_SHARE: share(0.75),
  TEMPORAL_NAMESPACE: z.string().default('default'),
  TEMPORAL_UI_URL: z.url().optional(),
  TASK_QUEUE: z.string().min(1).default('agents'),
  /**
   * TOOL_TASK_QUEUE is for tools that are called through the API, the console or MCP; CHANNEL_TASK_QUEUE is for channel
   * checks. Default of each: TASK_QUEUE. Each must be the same in every process.
   */
  TOOL_TASK_QUEUE: z.string().min(1).optional(),
  CHANNEL_TASK_QUEUE: z.string().min(1).optional(),
  WORKER_TASK_QUEUES: list,
  WORKFLOW_BUNDLE: z.string().optional(),
  WARM_SECONDS: seconds('WARM_SECONDS', 60),
  WARM_TURNS: z.coerce.number().int().min(1).max(100).default(10),
  WARM_MOST: z.coerce.number().int().min(1).max(5000).default(1000),
  WORKFLOW_CACHE: z.coerce.number().int().min(1).default(400),
  CALLBACK_ALLOW: list,
  /** Name servers that resolve the hosts of URLs that users enter. Default: the system's name servers. */
  DNS_SERVERS: list.superRefine((servers, context) => {
    try {
      checkNameServers(servers);
    } catch (error) {
      context.addIssue(error instanceof Error ? error.message : 'must be addresses');
    }
  }),
  GATEWAY_ALLOW: list,
  DOCS_API_URL: z.url().default('https://api.notion.com'),
  DOCS_OAUTH_CLIENT_ID: z.string().min(1).optional(),
  DOCS_OAUTH_CLIENT_SECRET: z.string().min(1).optional(),
  DOCS_TIMEOUT_SECONDS: seconds('DOCS_TIMEOUT_SECONDS', 60),
  DOCS_PATIENCE_SECONDS: seconds('DOCS_PATIENCE_SECONDS', 900),
  DOCS_REQUESTS_PER_SECOND: z.coerce.number().positive().default(3),
  DOCS_REQUESTS_BURST: z.coerce.number().int().min(1).default(10),
  MODEL_ALLOW: list,
  TOOL_ALLOW: list,
  MODEL_BASE_URL: z.url().optional(),
  MODEL_API_KEY: z.string().optional(),
  MODEL_NAME: z.string().optional(),
  MODEL_TIMEOUT_SECONDS: seconds('MODEL_TIMEOUT_SECONDS', 100),
  MODEL_CONTEXT_TOKENS: z.coerce.number().int().min(1000).default(100_000),
  MODEL_MAX_OUTPUT_TOKENS: z.coerce.number().int().min(1).default(4000),
  MODEL_FILES: list.prefault('images,documents').pipe(z.array(z.enum(['images', 'documents']))),
  MODEL_CONCURRENCY: z.coerce.number().int().min(1).default(200),
  ACTIVITY_SLOTS: z.coerce.number().int().min(10).max(10_000).default(4000),
  ORGANIZATION_ACTIVITY_SHARE: share(0.5),
  LOST_WORKERS: z.coerce.number().int().min(1).default(3),
  OPENAI_API_KEY: z.string().optional(),
  ANTHROPIC_API_KEY: z.string().optional(),
  /** Prices as JSON: `{ "provider/name": { "input": credits per 1,000 tokens, "output": … }, "default": … }` */
  MODEL_PRICES: z.string().optional(),
  ENCRYPTION_KEY: z.string().optional(),
  STORAGE_LIMIT_MEGABYTES: z.coerce.number().int().min(0).max(2_000_000_000).default(10_240),
  RATE_LIMIT: perSecond(100),
  ORGANIZATION_RATE_LIMIT: perSecond(500),
  SYNC_TIMEOUT_SECONDS: seconds('SYNC_TIMEOUT_SECONDS', 120),
  MAX_QUEUE_AGE_SECONDS: seconds('MAX_QUEUE_AGE_SECONDS', 1800),
  REQUEST_TIMEOUT_SECONDS: seconds('REQUEST_TIMEOUT_SECONDS', 60),
  /**
   * Maximum number of open connections to an API process, including those of stream readers. The default is chosen:
   * each connection takes about 40 KB of memory.
   */
  MAX_CONNECTIONS: z.coerce.number().int().min(10).max(100_000).default(5000),
  CALLBACK_TIMEOUT_SECONDS: seconds('CALLBACK_TIMEOUT_SECONDS', 15),
  CALLBACK_LOOKUP_SECONDS: seconds('CALLBACK_LOOKUP_SECONDS', 90),
  IDLE_SECONDS: seconds('IDLE_SECONDS', 600),
  SWEEP_SECONDS: seconds('SWEEP_SECONDS', 15),
  GATEWAY_TIMEOUT_SECONDS: seconds('GATEWAY_TIMEOUT_SECONDS', 20),
  GATEWAY_ASK_SECONDS: seconds('GATEWAY_ASK_SECONDS', 10),
  GATEWAY_WATCH_SECONDS: seconds('GATEWAY_WATCH_SECONDS', 60),
  /** If true, also accepts events named `message` from older gateways, which send only `event` and `data`. */
  GATEWAY_MESSAGE_EVENT: z.stringbool().default(false),
  /** `person`: sends the parts of a reply with a typing indicator and pauses. `none`: sends them without either. */
  GATEWAY_PACE: z.enum(['person', 'none']).default('person'),
  GATEWAY_SENDS_PER_MINUTE: z
    .union([z.literal('off'), z.coerce.number().int().min(1).max(1000)])
    .default(120),
  GATEWAY_FILE_LINKS: z.stringbool().default(true),
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url().optional(),
  OTEL_EXPORTER_OTLP_HEADERS: z.string().optional(),
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(1),
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
  METRICS_PORT: port.optional(),
  WORKER_PORT: port.optional(),
  /**
   * True if the supervisor of local mode started the process. The API is then ready only after the supervisor's IPC
   * message.
   */
  SUPERVISED: z.stringbool().default(false),
  /** The model that the supervisor of local mode runs: JSON in the form of `localModelAccess`. */
  LOCAL_MODEL: json.pipe(localModelAccess).optional(),
});

export type Config = Readonly<z.output<typeof environment>>;

/** Names of all settings. Each may also be set as NAME_FILE, the path of a file that holds the value. */
export const settingNames = Object.keys(environment.shape);

/**
 * Validates the environment, and reads the settings that are given as NAME_FILE.
 * @throws Error that names the missing or invalid variables, the first file that cannot be read, or the first variable
 * that is set both as NAME and as NAME_FILE
 */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const parsed = environment.safeParse(withSettingFiles(env, settingNames));
  if (!parsed.success) {
    const problems = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
    throw new Error(`The environment is invalid:\n  ${problems.join('\n  ')}`);
  }
  if (parsed.data.NODE_ENV === 'production' && parsed.data.ENCRYPTION_KEY === undefined) {
    throw new Error(
      'ENCRYPTION_KEY is required in production: 32 bytes as base64 (openssl rand -base64 32).',
    );
  }
  const { DATABASE_ACROSS_URL: across, DATABASE_ACCOUNTS_URL: accounts } = parsed.data;
  if ((across === undefined) !== (accounts === undefined)) {
    throw new Error('Set both DATABASE_ACROSS_URL and DATABASE_ACCOUNTS_URL, or neither.');
  }
  if (parsed.data.SMTP_URL !== undefined && parsed.data.SMTP_FROM === undefined) {
    throw new Error('SMTP_FROM is required with SMTP_URL: the email that mails are sent from.');
  }
  return Object.freeze(parsed.data);
}

/** @returns the API's public address: PUBLIC_URL, which may have a path prefix, or else `http://HOST:PORT` */
export function publicOrigin({
  PUBLIC_URL,
  HOST,
  PORT,
}: Pick<Config, 'PUBLIC_URL' | 'HOST' | 'PORT'>): string {
  return PUBLIC_URL ?? `http://${HOST}:${PORT}`;
}

/**
 * True in local mode, in which `npm start` runs this process on a person's own machine. Three conditions must hold, so
 * that one wrong setting of a deployment does not make it true: SUPERVISED, an IPC channel to the supervisor, and a
 * NODE_ENV other than `production`, which images set.
 */
export function isLocalMode({ SUPERVISED, NODE_ENV }: Pick<Config, 'SUPERVISED' | 'NODE_ENV'>): boolean {
  return SUPERVISED && process.send !== undefined && NODE_ENV !== 'production';
}
