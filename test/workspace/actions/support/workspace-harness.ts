/** Runs actions against the workspace emulator, the way the activity does: again after a transient failure. */
import assert from 'node:assert/strict';
import { createWorkspace, type Workspace } from '../../../../src/workspace/client/workspace.ts';
import type { ActionContext, StepLog } from '../../../../src/workspace/context.ts';
import { findAction } from '../../../../src/workspace/registry.ts';
import { runAction } from '../../../../src/workspace/run-action.ts';
import { transientOf } from '../../../../src/workspace/failures.ts';
import { startWorkspaceEmulator, type WorkspaceEmulator } from '../../../support/workspace/emulator.ts';

export class MemoryStepLog implements StepLog {
  readonly values = new Map<string, unknown>();
  readonly claims = new Set<string>();

  get(name: string): Promise<unknown> {
    return Promise.resolve(this.values.get(name));
  }

  put(name: string, value: unknown): Promise<void> {
    // Stores only what JSON can hold, as a database does.
    this.values.set(name, JSON.parse(JSON.stringify(value)));
    return Promise.resolve();
  }

  claim(name: string): Promise<'claimed' | 'already_claimed'> {
    if (this.claims.has(name)) return Promise.resolve('already_claimed');
    this.claims.add(name);
    return Promise.resolve('claimed');
  }

  claimedMsAgo(): Promise<number> {
    return Promise.resolve(Number.POSITIVE_INFINITY);
  }
}

export type Ran = {
  successful: boolean;
  error?: string | undefined;
  data: Record<string, unknown>;
  raw: string;
};

export type RunOptions = Partial<ActionContext> & {
  token?: string;
  /** Attempts before the result is given up to the model. Default 4. */
  attempts?: number;
  timeoutMs?: number;
  /** Called with what each failed attempt asked for. */
  onTransient?: (failure: { retryAfterMs: number | undefined }) => void;
};

export class Harness {
  readonly emulator: WorkspaceEmulator;

  constructor(emulator: WorkspaceEmulator) {
    this.emulator = emulator;
  }

  static async start(): Promise<Harness> {
    return new Harness(await startWorkspaceEmulator());
  }

  workspace(token = this.emulator.tokens.main, timeoutMs = 5000): Workspace {
    return createWorkspace({ token, apiUrl: this.emulator.url, timeoutMs });
  }

  /** One run, with as many attempts as it takes; the step log is kept over them. */
  async run(id: string, input: unknown, options: RunOptions = {}): Promise<Ran> {
    const action = findAction(id);
    assert.ok(action, id);
    const { token, attempts = 4, timeoutMs, onTransient, ...rest } = options;
    const steps = new MemoryStepLog();
    for (let attempt = 1; ; attempt += 1) {
      try {
        const result = await runAction(action, input, {
          docs: this.workspace(token, timeoutMs),
          files: { read: () => Promise.resolve(undefined), list: () => Promise.resolve([]) },
          signal: new AbortController().signal,
          steps,
          lastAttempt: attempt >= attempts,
          settleMs: 0,
          now: () => new Date(),
          ...rest,
        });
        return { ...result, data: JSON.parse(result.data) as Record<string, unknown>, raw: result.data };
      } catch (error) {
        const transient = transientOf(error);
        if (transient === undefined || attempt >= attempts) throw error;
        onTransient?.(transient);
      }
    }
  }

  /** A run that must succeed. */
  async ok(id: string, input: unknown, options: RunOptions = {}): Promise<Record<string, unknown>> {
    const result = await this.run(id, input, options);
    assert.equal(result.error, undefined, `${id}: ${result.error ?? ''}`);
    assert.equal(result.successful, true);
    return result.data;
  }

  /** A run that must fail: its error text. */
  async fails(id: string, input: unknown, options: RunOptions = {}): Promise<string> {
    const result = await this.run(id, input, options);
    assert.equal(result.successful, false, `${id} succeeded: ${result.raw}`);
    return result.error ?? '';
  }
}
