/** Defines the dependencies of an action: the workspace, files, the step log, the time and a model. */
import type { Workspace } from './client/workspace.ts';

/**
 * The durable log of the steps of one run of an action. All attempts of the run share it. The same input leads to the
 * same step names, so that a retry finds the completed steps.
 */
export type StepLog = {
  /** @returns the recorded value, or undefined if there is none */
  get(name: string): Promise<unknown>;
  put(name: string, value: unknown): Promise<void>;
  /** Claims a step. Atomic: of all attempts and workers, exactly one gets `claimed` for a name. */
  claim(name: string): Promise<'claimed' | 'already_claimed'>;
  /** Returns the milliseconds since the step was claimed; Infinity if it has no claim. */
  claimedMsAgo(name: string): Promise<number>;
};

type StoredFile = {
  filename: string | null;
  size: number | null;
  /** The file's bytes; null if they are not stored, or there are more than `maxBytes`. */
  content: Uint8Array<ArrayBuffer> | null;
  error: string | null;
};

/**
 * The files that an action may read: those of the run's conversation or, for a run outside conversations, those of the
 * organization.
 */
type StoredFiles = {
  /** @param key a UUID @returns the file; undefined if there is no file with this key that the action may read */
  read(key: string, maxBytes: number): Promise<StoredFile | undefined>;
  /** Returns the newest files of the run's conversation, newest first; an empty list outside conversations. */
  list(): Promise<readonly { key: string; name: string | null }[]>;
};

export type ActionContext = {
  docs: Workspace;
  files: StoredFiles;
  signal: AbortSignal;
  /** Each run of an action has its own step log. */
  steps: StepLog;
  /**
   * True on the last attempt. A transient failure other than a pause then becomes the result. After an unknown outcome,
   * the object is looked up at once, because no later attempt can do so.
   */
  lastAttempt: boolean;
  /**
   * True if the run has used up its total waiting time. A pause (WorkspaceHeldBack or StillInProgress) then becomes the
   * result.
   */
  isOutOfPatience?: boolean;
  /**
   * Milliseconds after the claim of a send during which its request may still arrive at the workspace: the maximum
   * delay of the request, its timeout, and a margin.
   */
  settleMs: number;
  now: () => Date;
  /**
   * Answers a prompt with the organization's default model, or rejects with ModelUnavailable. Absent if the default
   * model is the scripted one, which cannot follow a schema.
   */
  model?: (prompt: string) => Promise<string>;
};

export type RunContext = ActionContext & {
  /** Adds a warning that the model sees with the result. */
  warn: (text: string) => void;
  /** Ids of the objects written so far, by field name. If the action fails, its result contains them. */
  partial: Record<string, unknown>;
};
