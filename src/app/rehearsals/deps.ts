/**
 * The dependencies of rehearsals, such as models, tools that only read, and the database. A rehearsal gets no HTTP
 * client, no gateway, no outbox and no tool that changes data, so that it cannot reach a customer.
 */
import type { Models } from '../../adapters/models/models.ts';
import { ModelFault } from '../../adapters/models/model.ts';
import { scriptedModel } from '../../adapters/models/scripted-model.ts';
import { scriptedModelId } from '../../contract/models/scripted.ts';
import type { Attempts, FairShares } from '../../worker/around-activities.ts';
import type { Limiter, Slots } from '../../limits/limiter.ts';
import type { BudgetDeps } from '../data/call-budget.ts';
import type { ToolBox, ToolCallContext, ToolResult } from '../workspace/tool-box.ts';

export interface RehearsalDeps extends BudgetDeps {
  readonly models: Pick<Models, 'find'>;
  readonly tools: ReadingTools;
  readonly modelSlots: Slots;
  readonly scriptSlots: Slots;
  /** Limits the total bytes of the files in model calls in progress. */
  readonly fileBytes: Limiter;
  readonly shares: Pick<FairShares, 'use'>;
  readonly attempts: Pick<Attempts, 'guarded'>;
  /** Resolves after `ms` milliseconds; rejects if the signal aborts, like `setTimeout` of node:timers/promises. */
  readonly sleep: (ms: number, value: undefined, options: { signal: AbortSignal }) => Promise<void>;
}

export interface ReadingTools extends Pick<ToolBox, 'definitionsFor'> {
  /** @returns the tool's result; undefined, without calling it, if the tool could change data or does not exist */
  read(name: string, input: unknown, context: ToolCallContext): Promise<ToolResult | undefined>;
}

/** Returns a tool box that offers the definitions of all tools of `tools`, but runs only those that read. */
export function readingTools(tools: ToolBox): ReadingTools {
  return {
    definitionsFor: (agent, organizationId) => tools.definitionsFor(agent, organizationId),
    read: async (name, input, context) =>
      (await tools.reads(name, context.organizationId)) ? await tools.run(name, input, context) : undefined,
  };
}

/**
 * Maximum counters of failures in memory, one for each conversation and script rule. Above it, the oldest is dropped.
 * Chosen.
 */
const maxCounted = 10_000;

/**
 * Returns the models for rehearsals. `find` throws ModelFault for an agent that runs elsewhere (a provider of kind
 * `agent`), because that agent could send or change something. The scripted model counts in memory how often a rule of
 * a script has failed, so that the counts of the recorded conversation do not change.
 */
export function rehearsalModels(models: Pick<Models, 'find'>): Pick<Models, 'find'> {
  const counts = new Map<string, number>();
  const scripted = scriptedModel((conversationId, rule) => {
    const key = `${conversationId} ${rule}`;
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    const [oldest] = counts.keys();
    if (counts.size > maxCounted && oldest !== undefined) counts.delete(oldest);
    return Promise.resolve(count);
  });
  return {
    find: (choice, organizationId) => {
      if (choice.provider?.kind === 'agent') throw new ModelFault(runsElsewhere, { retryable: false });
      const model = models.find(choice, organizationId);
      return model.id === scriptedModelId ? scripted : model;
    },
  };
}

export const runsElsewhere =
  'An agent that runs elsewhere cannot be rehearsed, because it could send or change something. Name another model.';
