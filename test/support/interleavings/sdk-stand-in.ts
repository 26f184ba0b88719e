/** Stands in for `@temporalio/workflow` and `@temporalio/activity` where workflow code runs on simulated time. */
import { AsyncLocalStorage } from 'node:async_hooks';

export { ActivityFailure, ApplicationFailure } from '@temporalio/common';

/** One run of a workflow, as its code sees it. */
export interface Execution {
  now(): number;
  sleep(ms: number): Promise<void>;
  condition(holds: () => boolean): Promise<void>;
  handle(name: string, handler: (...args: never[]) => unknown): void;
  activity(name: string, args: unknown[]): Promise<unknown>;
  suggestsContinueAsNew(): boolean;
}

export const execution = new AsyncLocalStorage<Execution>();

function here(): Execution {
  const found = execution.getStore();
  if (found === undefined) throw new Error('workflow code outside a simulated execution');
  return found;
}

// Workflow code asks for the time as in Temporal's sandbox; identifiers made by the rows' code follow it.
const realNow = Date.now.bind(Date);
Date.now = () => execution.getStore()?.now() ?? realNow();

export class ContinuedAsNew extends Error {
  readonly args: unknown[];
  constructor(args: unknown[]) {
    super('continued as new');
    this.args = args;
  }
}

export async function sleep(ms: number): Promise<void> {
  await here().sleep(ms);
}
export async function condition(holds: () => boolean): Promise<void> {
  await here().condition(holds);
}
export const continueAsNew = (...args: unknown[]): never => {
  throw new ContinuedAsNew(args);
};
const definition = (name: string): { name: string } => ({ name });
export { definition as defineSignal, definition as defineQuery };
export const setHandler = ({ name }: { name: string }, handler: (...args: never[]) => unknown): void => {
  here().handle(name, handler);
};
/** No simulated history is older than the code. */
export const CancellationScope = {
  nonCancellable: async <T>(work: () => Promise<T>): Promise<T> => await work(),
};
export const patched = (): boolean => true;
export const setCurrentDetails = (): void => undefined;
export const upsertSearchAttributes = (): void => undefined;
export const workflowInfo = (): { historyLength: number; continueAsNewSuggested: boolean } => ({
  historyLength: 0,
  continueAsNewSuggested: here().suggestsContinueAsNew(),
});

export function proxyActivities(): unknown {
  return new Proxy(
    {},
    {
      get: (_, name: string) =>
        Object.assign(async (...args: unknown[]) => await here().activity(name, args), {
          executeWithOptions: async (_options: unknown, args: unknown[]) => await here().activity(name, args),
        }),
    },
  );
}

/** One attempt at an activity. */
export interface Attempt {
  activityId: string;
  attempt: number;
  workflowExecution: { runId: string };
}
export const attempts = new AsyncLocalStorage<Attempt>();
export function activityInfo(): Attempt {
  const found = attempts.getStore();
  if (found === undefined) throw new Error('activity code outside a simulated attempt');
  return found;
}
export const heartbeat = (): void => undefined;
export const cancellationSignal = (): AbortSignal => never;
const never = new AbortController().signal;
/** No interleaving is judged by the log of an activity. */
export const log = { error: (): void => undefined, warn: (): void => undefined, info: (): void => undefined };
