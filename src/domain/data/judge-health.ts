/** Derives an organization's current problems and warnings from facts that are read from Postgres. */
import type { Capability } from '../../contract/accounts/capabilities.ts';
import type { Allowance } from './monthly-limits.ts';
import type { Health, HealthArea, HealthItem } from '../../contract/data/health.ts';

/**
 * The outcome of a provider's newest run within the last day. Runs that failed without a failed model call do not
 * count.
 */
export interface ModelOutcome {
  provider: string;
  failed: boolean;
  error: string | null;
  provider_message: string | null;
  at: Date;
  /**
   * When the provider's key, address or models were last saved; null if the organization has no provider of this name.
   */
  saved_at: Date | null;
}

/**
 * The ended callbacks and alerts to one host, among the newest deliveries of the last day. `failed` includes those with
 * an unknown outcome.
 */
export interface HostOutcome {
  host: string;
  attempts: number;
  failed: number;
  blocked: number;
  /** Statuses of the newest callbacks and alerts, newest first. */
  newest: readonly string[];
  /** Error of the newest callback or alert that failed or has an unknown outcome. */
  failure: string | null;
  failed_at: Date | null;
  /** Error of the newest callback or alert that was blocked. */
  refusal: string | null;
  blocked_at: Date | null;
}

export interface HealthFacts {
  /**
   * Set if neither the organization nor the installation has a default model; a scripted model does not count.
   * `needed`: an active agent has neither a model nor a script. `named`: an active agent names its own model, which is
   * not a scripted one.
   */
  withoutDefault: { needed: boolean; named: boolean } | undefined;
  models: readonly ModelOutcome[];
  /** Providers that did not answer when they were last tested. `used`: by an active agent, perhaps as the fallback. */
  failedTests: readonly { provider: string; used: boolean; error: string; at: Date }[];
  /** Connected channels that have an error, and channels whose webhook is not verified yet. */
  channels: readonly {
    agent_id: string;
    agent_name: string;
    state: string;
    message: string | null;
    last_inbound_at: Date | null;
  }[];
  connections: readonly { name: string | null; error: string | null }[];
  /** MCP servers at which a person must sign in. `tools` is the number of the server's accepted tools. */
  signIns: readonly { name: string; tools: number }[];
  /** Undefined if the organization has no monthly limit. */
  allowed: Allowance | undefined;
  /** The organization's own caps, with the credits that count against them today and this month. */
  caps: readonly { period: 'day' | 'month'; used: number; cap: number }[];
  hosts: readonly HostOutcome[];
  waiting: { conversations: number; since: Date | null };
  backlog: { messages: number; since: Date | null };
  storage: { used_bytes: number; limit_bytes: number | null };
}

/**
 * The shares of a monthly limit or cap and of the storage limit from which a warning is shown: 0.8 means 80 % used.
 * Chosen.
 */
const nearlyReached = { limit: 0.8, storage: 0.9 };
/**
 * Number of a host's newest callbacks and alerts that decide whether it has a problem. The host has the problem
 * "failing" if one of them failed or has an unknown outcome, and the problem "blocked" if one of them was blocked.
 * Chosen.
 */
const newestOfHost = 3;
/**
 * Age of a backlog in milliseconds above which it counts as a problem. A younger backlog is a warning, because it may
 * be only a burst of messages. Chosen.
 */
const oldBacklogMs = 5 * 60_000;

/**
 * Matches errors that concern a single message or an agent's settings. They do not count against the provider, because
 * it may answer other messages.
 */
const ofOneMessage =
  /context window|larger than the model provider accepts|has no AI model yet|did not come to an end within/i;

/** @returns why the provider did not answer; null if it answered, or if the failure does not count against it */
export const failureOf = ({ failed, error }: Pick<ModelOutcome, 'failed' | 'error'>): string | null =>
  failed && error !== null && !ofOneMessage.test(error) ? error : null;

/**
 * Derives the problems and warnings that the member may see.
 * @param capabilities the member's capabilities, which decide which areas and items the member may see
 * @param now epoch milliseconds
 * @returns the areas and items that the member may see, problems before warnings. Without `models.manage`, the area
 * `models` is not listed, but its item `no_model` may be included.
 */
export function judgeHealth(facts: HealthFacts, capabilities: readonly Capability[], now: number): Health {
  const can = (one: Capability) => capabilities.includes(one);
  const seesUsage = can('data.manage');
  const judged: { area: HealthArea; seen: boolean; items: HealthItem[] }[] = [
    // Every member may see that there is no default model. Only members who manage models see whether a provider
    // answers.
    { area: 'models', seen: true, items: modelItems(facts, can('models.manage')) },
    { area: 'channels', seen: can('channels.manage'), items: channelItems(facts) },
    { area: 'connections', seen: true, items: connectionItems(facts) },
    // Every member may see that a limit or a cap is reached. Only members with `data.manage` see how much is used.
    {
      area: 'limits',
      seen: true,
      items: [...capItems(facts.caps, seesUsage), ...limitItems(facts.allowed, seesUsage)],
    },
    { area: 'webhooks', seen: can('deliveries.view'), items: facts.hosts.flatMap(hostItems) },
    { area: 'conversations', seen: can('conversations.view'), items: conversationItems(facts, now) },
    { area: 'storage', seen: seesUsage, items: storageItems(facts.storage) },
  ];
  const seen = judged.filter((one) => one.seen);
  const items = seen.flatMap((one) => one.items);
  return {
    areas: seen.map(({ area }) => area).filter((area) => area !== 'models' || can('models.manage')),
    items: items.toSorted((one, other) => rank(one) - rank(other)),
  };
}

const rank = ({ severity }: HealthItem): number => (severity === 'problem' ? 0 : 1);

function modelItems(
  { withoutDefault, models, failedTests }: HealthFacts,
  seesProviders: boolean,
): HealthItem[] {
  const area = 'models';
  const failing = models.filter(
    (outcome) => failureOf(outcome) !== null && (outcome.saved_at === null || outcome.saved_at < outcome.at),
  );
  // A run after the test decides, not the test.
  const tested = failedTests.filter(
    ({ provider, at }) => !models.some((one) => one.provider === provider && (one.failed || one.at > at)),
  );
  const notAnswering = [
    ...failing.map((one) => ({ ...one, used: true })),
    ...tested.map((one) => ({ ...one, provider_message: null })),
  ];
  const { needed = false, named = true } = withoutDefault ?? {};
  const severity = needed ? 'problem' : 'warning';
  return [
    ...(needed || !named ? [{ kind: 'no_model', severity, area } as const] : []),
    ...(seesProviders ? notAnswering : []).map(
      ({ provider, used, error, provider_message, at }): HealthItem => ({
        kind: 'model_failing',
        severity: used ? 'problem' : 'warning',
        area,
        provider,
        error: error ?? '',
        provider_message,
        at: at.toISOString(),
      }),
    ),
  ];
}

function channelItems({ channels }: HealthFacts): HealthItem[] {
  return channels.map(({ agent_id, agent_name, state, message, last_inbound_at }) => ({
    kind: 'channel',
    severity: state === 'connected' ? 'problem' : 'warning',
    area: 'channels',
    agent_id,
    agent_name,
    message: state === 'connected' ? message : null,
    last_inbound_at: last_inbound_at?.toISOString() ?? null,
  }));
}

function connectionItems({ connections, signIns }: HealthFacts): HealthItem[] {
  const shared = { kind: 'connection', severity: 'problem', area: 'connections' } as const;
  return [
    ...connections.map(({ name, error }): HealthItem => ({ ...shared, name, error })),
    // If no tool of the server is accepted, no agent needs the server yet, so this is only a warning.
    ...signIns.map(({ name, tools }): HealthItem => ({
      kind: 'mcp_sign_in',
      severity: tools > 0 ? 'problem' : 'warning',
      area: 'connections',
      server: name,
      tools,
    })),
  ];
}

function capItems(caps: HealthFacts['caps'], seesUsage: boolean): HealthItem[] {
  return caps.flatMap(({ period, used, cap }): HealthItem[] => {
    const reached = used >= cap;
    if (!reached && (!seesUsage || used < cap * nearlyReached.limit)) return [];
    const shown = seesUsage ? { used, cap } : { used: null, cap: null };
    const severity = reached ? 'problem' : 'warning';
    return [{ kind: 'cap', severity, area: 'limits', period, reached, ...shown }];
  });
}

function limitItems(allowed: Allowance | undefined, seesUsage: boolean): HealthItem[] {
  if (allowed === undefined) return [];
  const { limit, used, message_limit, messages } = allowed;
  return [
    { of: 'credits' as const, limit, used },
    { of: 'messages' as const, limit: message_limit, used: messages },
  ].flatMap((one): HealthItem[] => {
    if (one.limit === null) return [];
    const reached = one.used >= one.limit;
    if (!reached && (!seesUsage || one.used < one.limit * nearlyReached.limit)) return [];
    const shown = seesUsage ? { used: one.used, limit: one.limit } : { used: null, limit: null };
    const severity = reached ? 'problem' : 'warning';
    return [{ kind: 'limit', severity, area: 'limits', of: one.of, reached, ...shown }];
  });
}

function hostItems(one: HostOutcome): HealthItem[] {
  const { host, attempts, failed, blocked, failure, failed_at, refusal, blocked_at } = one;
  const newest = one.newest.slice(0, newestOfHost);
  const area = 'webhooks';
  const items: HealthItem[] = [];
  if (failed_at !== null && newest.some((status) => status === 'failed' || status === 'unknown')) {
    const at = failed_at.toISOString();
    const kind = 'webhook_failing';
    items.push({ kind, severity: 'problem', area, host, failed, attempts, error: failure, at });
  }
  if (blocked_at !== null && newest.includes('blocked')) {
    const reason = (refusal ?? '').replace(/^blocked: /, '');
    const at = blocked_at.toISOString();
    items.push({ kind: 'webhook_blocked', severity: 'problem', area, host, blocked, reason, at });
  }
  return items;
}

function conversationItems({ waiting, backlog }: HealthFacts, now: number): HealthItem[] {
  const area = 'conversations';
  const items: HealthItem[] = [];
  if (backlog.since !== null) {
    const severity = now - backlog.since.getTime() > oldBacklogMs ? 'problem' : 'warning';
    const since = backlog.since.toISOString();
    items.push({ kind: 'backlog', severity, area, messages: backlog.messages, since });
  }
  if (waiting.since !== null) {
    const since = waiting.since.toISOString();
    items.push({ kind: 'waiting', severity: 'warning', area, conversations: waiting.conversations, since });
  }
  return items;
}

function storageItems({ used_bytes, limit_bytes }: HealthFacts['storage']): HealthItem[] {
  if (limit_bytes === null || used_bytes < limit_bytes * nearlyReached.storage) return [];
  const severity = used_bytes >= limit_bytes ? 'problem' : 'warning';
  return [{ kind: 'storage', severity, area: 'storage', used_bytes, limit_bytes }];
}
