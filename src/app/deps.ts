import type { Runs } from '../adapters/postgres/conversations/runs.ts';
import type { Models } from '../adapters/models/models.ts';
import type { PublicHttp } from '../adapters/http/public-http.ts';
import type { Encryption } from '../adapters/secrets/encryption.ts';
import type { Attempts, FairShares } from '../worker/around-activities.ts';
import type { BytePace, Limiter, Slots } from '../limits/limiter.ts';
import type { DocsDeps } from './workspace/deps.ts';
import type { HttpToolDeps } from './http-tools/deps.ts';
import type { Outbox } from './conversations/post-callback.ts';
import type { RunChanges } from './conversations/advance-run.ts';
import type { WarmConversations } from '../worker/warm-conversations.ts';
import type { StreamOutbox } from '../worker/stream-outbox.ts';
import type { ToolBox } from './workspace/tool-box.ts';
import type { ChannelDeps } from './whatsapp/deps.ts';
import type { BudgetDeps } from './data/call-budget.ts';
import type { Eraser } from './data/carry-out-erasure.ts';
import type {
  ConversationAddress,
  ConversationWorkflows,
} from '../adapters/temporal/conversation-workflows.ts';

import type { RehearsalDeps } from './rehearsals/deps.ts';
import type { RehearsalAddress } from '../adapters/temporal/rehearsal-workflows.ts';

export interface WorkflowLookup extends Pick<ConversationWorkflows, 'state'> {
  /**
   * Signals a conversation's workflow, and starts it if it is not running.
   * @param replace true to terminate a running workflow first
   */
  nudge(conversation: ConversationAddress, replace?: boolean): Promise<void>;
}

/** The dependencies of activities. main-worker.ts creates them once. */
export interface ActivityDeps extends BudgetDeps {
  readonly runs: Runs;
  readonly shares: Pick<FairShares, 'use'>;
  readonly attempts: Pick<Attempts, 'guarded' | 'guardedByClaim'>;
  readonly models: Pick<Models, 'find' | 'idOf'>;
  readonly isProduction: boolean;
  readonly modelSlots: Slots;
  readonly scriptSlots: Slots;
  /** Limits the total bytes of the files in model calls in progress. */
  readonly fileBytes: Limiter;
  /** Limits the bytes of memory that fetches of files in progress have reserved. */
  readonly fetchBytes: Limiter;
  readonly fetchPace: BytePace;
  readonly tools: ToolBox;
  readonly docs: DocsDeps;
  readonly httpTools: HttpToolDeps;
  readonly http: PublicHttp;
  readonly encryption: Pick<Encryption, 'open'>;
  readonly outbox: Outbox;
  readonly streams: StreamOutbox;
  readonly changes: RunChanges;
  readonly callbackTimeoutMs: number;
  /** Milliseconds for which the look-up of a callback's host name is retried. */
  readonly callbackLookupMs: number;
  /** Logs a warning with the fields of `about`, such as ids. */
  readonly workflows: WorkflowLookup & Eraser['workflows'];
  /**
   * Resolves after `ms` milliseconds; rejects if the signal aborts, like `setTimeout` of node:timers/promises. Tests
   * inject a fake clock.
   */
  readonly sleep: (ms: number, value: undefined, options: { signal: AbortSignal }) => Promise<void>;
  readonly channel: ChannelDeps;
  /** The dependencies of rehearsals, none of which can reach a customer. */
  readonly rehearsals: RehearsalDeps;
  /** Starts the workflow of a rehearsal, if it is not running. */
  readonly startRehearsal: (rehearsal: RehearsalAddress) => Promise<void>;
  /** The conversations whose activities may wait for the next input; absent if every activity ends with its run. */
  readonly warm?: WarmConversations;
}
