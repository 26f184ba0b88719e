import type { Database } from '../src/adapters/db/database.ts';
import type { Runs } from '../src/adapters/db/runs.ts';
import type { Models } from '../src/adapters/models/models.ts';
import type { PublicHttp } from '../src/adapters/public-http.ts';
import type { PriceTable } from '../src/domain/price.ts';
import type { Attempts } from './attempts.ts';
import type { FairShares } from './fair-shares.ts';
import type { ByteBudget } from './byte-budget.ts';
import type { DocsDeps } from './docs-deps.ts';
import type { Outbox } from './outbox.ts';
import type { RunChanges } from './run-changes.ts';
import type { Slots } from './slots.ts';
import type { StreamOutbox } from './stream-outbox.ts';
import type { ToolBox } from './tool-box.ts';
import type { ChannelDeps } from './channel-deps.ts';
import type { Eraser } from '../src/adapters/carry-out-erasure.ts';
import type { WorkflowLookup } from './recover.ts';

/** What activities are given: made once in main-worker.ts. */
export interface ActivityDeps {
  readonly db: Database;
  readonly runs: Runs;
  readonly shares: Pick<FairShares, 'use'>;
  readonly attempts: Pick<Attempts, 'guarded' | 'guardedByClaim'>;
  readonly models: Pick<Models, 'find'>;
  readonly modelSlots: Slots;
  readonly scriptSlots: Slots;
  /** Of files that models are given. */
  readonly fileBytes: ByteBudget;
  /** Of files that are being fetched. */
  readonly fetchBytes: ByteBudget;
  readonly prices: PriceTable;
  readonly tools: ToolBox;
  readonly docs: DocsDeps;
  readonly http: PublicHttp;
  readonly outbox: Outbox;
  readonly streams: StreamOutbox;
  readonly changes: RunChanges;
  readonly callbackTimeoutMs: number;
  /** How long a callback's name is looked up again. */
  readonly callbackLookupMs: number;
  /** Writes a warning into the log, with the ids of what the activity is about. */
  readonly warn: (about: Record<string, unknown>, message: string) => void;
  readonly workflows: WorkflowLookup & Eraser['workflows'];
  /** Waits for ms; rejects when the signal aborts. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly channel: ChannelDeps;
}
