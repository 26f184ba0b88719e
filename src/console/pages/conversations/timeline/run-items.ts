/** Lists the messages and other events of a run in chronological order. */
import type { TimelineRun } from '../../../../contract/conversations/timeline.ts';

type Message = TimelineRun['messages'][number];
type Step = TimelineRun['steps'][number];
type Delivery = TimelineRun['deliveries'][number];
type ModelFailure = TimelineRun['model_failures'][number];

export type RunItem =
  | { kind: 'message'; key: string; message: Message }
  | { kind: 'tools'; key: string; step: Step }
  | { kind: 'transfer'; key: string; from: string; to: string }
  | { kind: 'handOver'; key: string; by: string; reason: string }
  | { kind: 'delivery'; key: string; delivery: Delivery }
  | { kind: 'modelFailure'; key: string; failure: ModelFailure };

/** @returns the model failure that ended the run; undefined if the run has not failed, or failed for another reason */
export function endingFailure(run: TimelineRun): ModelFailure | undefined {
  const last = run.model_failures.at(-1);
  return run.state === 'failed' && last?.error === run.error ? last : undefined;
}

/** @returns the reason of a call of hand_over_to_person, the only tool of a step that answers */
function reasonIn(input: unknown): string {
  const reason: unknown = typeof input === 'object' && input !== null ? Reflect.get(input, 'reason') : '';
  return typeof reason === 'string' ? reason : '';
}

export function runItems(run: TimelineRun): RunItem[] {
  const items: { at: string; rank: number; item: RunItem }[] = [];
  for (const message of run.messages) {
    const rank = message.origin === 'user' ? 0 : 2;
    items.push({ at: message.at, rank, item: { kind: 'message', key: message.id, message } });
  }
  run.steps.forEach((step, index) => {
    const key = `step ${String(step.step)}`;
    if (step.kind === 'tools') items.push({ at: step.at, rank: 1, item: { kind: 'tools', key, step } });
    const [handOver] = step.kind === 'answer' ? step.tools : [];
    if (handOver !== undefined) {
      const reason = reasonIn(handOver.input);
      items.push({ at: step.at, rank: 4, item: { kind: 'handOver', key, by: step.agent_name, reason } });
    }
    if (step.kind === 'transfer') {
      const to = run.steps[index + 1]?.agent_name ?? run.agent_name ?? '';
      items.push({ at: step.at, rank: 4, item: { kind: 'transfer', key, from: step.agent_name, to } });
    }
  });
  for (const delivery of run.deliveries) {
    items.push({ at: delivery.created_at, rank: 3, item: { kind: 'delivery', key: delivery.id, delivery } });
  }
  for (const failure of run.model_failures) {
    if (failure === endingFailure(run)) continue;
    const key = `failure ${String(failure.step)}`;
    items.push({ at: failure.at, rank: 1, item: { kind: 'modelFailure', key, failure } });
  }
  return items.sort((a, b) => a.at.localeCompare(b.at) || a.rank - b.rank).map(({ item }) => item);
}
