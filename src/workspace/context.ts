/** Everything that an action depends on. */
import type { Workspace } from './client/workspace.ts';

/**
 * The durable record of one run of an action, shared by its attempts. Step names are stable: the same input gives
 * the same names.
 */
export type StepLog = {
  /** @returns the recorded value, or undefined if there is none */
  get(name: string): Promise<unknown>;
  put(name: string, value: unknown): Promise<void>;
  /** Atomic: over all attempts and workers, exactly one caller gets `claimed` for a name. */
  claim(name: string): Promise<'claimed' | 'already_claimed'>;
  /** Milliseconds since the claim; infinite if there is none. */
  claimedMsAgo(name: string): Promise<number>;
};

type StoredFile = {
  filename: string | null;
  size: number | null;
  /** The file's bytes; null if they are not stored, or are more than `maxBytes`. */
  content: Uint8Array<ArrayBuffer> | null;
  error: string | null;
};

/**
 * The files that an action may read: those of the run's conversation, or of the organization if there is no
 * conversation.
 */
type StoredFiles = {
  /** @param key a UUID */
  read(key: string, maxBytes: number): Promise<StoredFile | undefined>;
  /** The newest files of the run's conversation, newest first; none if there is no conversation. */
  list(): Promise<readonly { key: string; name: string | null }[]>;
};

export type ActionContext = {
  docs: Workspace;
  files: StoredFiles;
  signal: AbortSignal;
  /** Identifies the run, which has a step log of its own. */
  idempotencyKey: string;
  steps: StepLog;
  /**
   * True on the last attempt: a transient failure other than a pause becomes the result, and an unknown outcome is
   * looked up at once.
   */
  lastAttempt: boolean;
  /** True if the run has used up its total waiting time: WorkspaceHeldBack or StillInProgress becomes the result. */
  isOutOfPatience?: boolean;
  /**
   * How long after the claim of a send its request may still reach the workspace, in milliseconds: the longest delay of
   * the request, its timeout and a margin.
   */
  settleMs: number;
  now: () => Date;
  /** The organization's default model: takes a prompt, returns text. Absent if no model is configured. */
  model?: (prompt: string) => Promise<string>;
};

export type RunContext = ActionContext & {
  /** Adds a warning that the model sees with the result. */
  warn: (text: string) => void;
  /** Records what has been written so far, for the result of an action that fails midway. */
  partial: Record<string, unknown>;
};
