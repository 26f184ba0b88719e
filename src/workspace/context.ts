/** What an action may use, and nothing else. */
import type { Workspace } from './client/workspace.ts';

/**
 * The durable record of one run of an action, kept over attempts. Names are stable: the same input makes the
 * same names again.
 */
export type StepLog = {
  /** @returns the recorded value, or undefined when there is none */
  get(name: string): Promise<unknown>;
  put(name: string, value: unknown): Promise<void>;
  /** Atomic: one caller, over all attempts and workers, ever gets `claimed` for a name. */
  claim(name: string): Promise<'claimed' | 'already_claimed'>;
  /** Milliseconds since the claim; infinite where there is none. */
  claimedMsAgo(name: string): Promise<number>;
};

export type StoredFile = {
  filename: string | null;
  size: number | null;
  /** Null if the file's bytes were not stored, or are more than `maxBytes`. */
  content: Uint8Array<ArrayBuffer> | null;
  error: string | null;
};

/** The files that an action may read: those of the run's conversation, or of the organization if there is no conversation. */
export type StoredFiles = {
  /** @param key a UUID */
  read(key: string, mostBytes: number): Promise<StoredFile | undefined>;
  /** Those of the run's conversation, newest first. */
  list(): Promise<readonly { key: string; name: string | null }[]>;
};

export type ActionContext = {
  docs: Workspace;
  files: StoredFiles;
  signal: AbortSignal;
  /** Names the run; the step log is its own. */
  idempotencyKey: string;
  steps: StepLog;
  /** With no attempt to come, a transient failure becomes an answer, and an unknown outcome is looked up at once. */
  lastAttempt: boolean;
  /** What would have to wait for the workspace becomes an answer too: it has waited long enough. */
  isOutOfPatience?: boolean;
  /** A request that another attempt sent may arrive for so long: its time limit, and some. */
  settleMs: number;
  now: () => Date;
  /** The organization's model: prompt → text. Absent where none is configured. */
  model?: (prompt: string) => Promise<string>;
};

export type RunContext = ActionContext & {
  /** Shown to the model beside the result. */
  warn: (text: string) => void;
  /** What has been written so far; shown when the action fails on the way. */
  partial: Record<string, unknown>;
};
