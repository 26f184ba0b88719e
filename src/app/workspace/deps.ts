/** The dependencies of the document actions. main-worker.ts creates them once. */
import { Limiter } from '../../limits/limiter.ts';
import type { FairShares } from '../../worker/around-activities.ts';
import type { PaceRule } from '../../adapters/postgres/pace.ts';
import type { Models } from '../../adapters/models/models.ts';
import { docsOAuth } from '../../workspace/client/oauth.ts';
import type { Encryption } from '../../adapters/secrets/encryption.ts';
import type { BudgetDeps } from '../data/call-budget.ts';
import { createWorkspaceCredentials, type WorkspaceCredentials } from './credentials.ts';

export interface DocsDeps extends BudgetDeps {
  readonly shares: Pick<FairShares, 'use'>;
  /** Limits the memory of the actions in progress, which grows with their inputs. */
  readonly memory: Pick<Limiter, 'use'>;
  readonly credentials: WorkspaceCredentials;
  /** Origin of the workspace's API, without /v1. */
  readonly apiUrl: string;
  readonly timeoutMs: number;
  readonly pace: PaceRule;
  /**
   * Maximum total milliseconds of the waits that the workspace or a model requires of an action. The delays after
   * failures do not count.
   */
  readonly patienceMs: number;
  readonly models: Pick<Models, 'find'>;
}

const maxWaitMs = 10_000;
/**
 * Maximum bytes that the actions of this process reserve at the same time. One organization may reserve half. Chosen.
 */
export const maxActionBytes = 32 * 1024 * 1024;

export type DocsSettings = Parameters<typeof docsOAuth>[0] & {
  DOCS_TIMEOUT_SECONDS: number;
  DOCS_PATIENCE_SECONDS: number;
  DOCS_REQUESTS_PER_SECOND: number;
  DOCS_REQUESTS_BURST: number;
};

/**
 * Creates the dependencies. Must be called only once per worker process, because all its actions must share the memory
 * limit.
 */
export function docsDeps(
  settings: DocsSettings,
  {
    encryption,
    ...shared
  }: Pick<DocsDeps, 'db' | 'models' | 'prices' | 'callLimits' | 'shares' | 'warn'> & {
    encryption: Encryption;
  },
): DocsDeps {
  return {
    ...shared,
    memory: new Limiter({ max: maxActionBytes, maxPerOwner: maxActionBytes / 2 }),
    credentials: createWorkspaceCredentials(
      shared.db,
      encryption,
      docsOAuth(settings),
      settings.DOCS_API_URL,
    ),
    apiUrl: settings.DOCS_API_URL,
    timeoutMs: Math.round(settings.DOCS_TIMEOUT_SECONDS * 1000),
    patienceMs: settings.DOCS_PATIENCE_SECONDS * 1000,
    pace: {
      max: settings.DOCS_REQUESTS_BURST,
      windowMs: (settings.DOCS_REQUESTS_BURST / settings.DOCS_REQUESTS_PER_SECOND) * 1000,
      maxWaitMs,
    },
  };
}
