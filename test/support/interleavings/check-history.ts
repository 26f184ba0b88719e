/** Is there an order of what was seen, true to what did not overlap, that the model allows? (Wing and Gong's search) */
import { ConversationModel } from './conversation-model.ts';
import type { AgentRules, Seen } from './observation.ts';

export interface Verdict {
  /** Why no order is allowed; '' when one is. */
  violation: string;
  model: ConversationModel;
}

/** @param lateMs how late work may begin */
export function checkHistory(history: readonly Seen[], agents: AgentRules[], lateMs: number): Verdict {
  const overlap = overlapping(history);
  let deepest = { depth: -1, violation: '' };
  const search = (model: ConversationModel, left: readonly Seen[]): Verdict | undefined => {
    if (left.length === 0) return { violation: '', model };
    const firstEnd = Math.min(...left.map(({ to }) => to));
    const candidates = left.filter(({ from }) => from <= firstEnd);
    for (const [index, candidate] of candidates.entries()) {
      const next = index === candidates.length - 1 ? model : copy(model);
      const violation = next.take(candidate.what, agents, lateMs);
      if (violation !== '') {
        if (history.length - left.length > deepest.depth)
          deepest = {
            depth: history.length - left.length,
            violation: `${violation} (${JSON.stringify(candidate.what)})`,
          };
        continue;
      }
      const found = search(
        next,
        left.filter((seen) => seen !== candidate),
      );
      if (found) return found;
    }
    return undefined;
  };
  const found = overlap === '' ? search(new ConversationModel(), history) : undefined;
  return found ?? { violation: overlap || deepest.violation, model: new ConversationModel() };
}

/** Returns what is still open although everything has come to rest. */
export function unfinished(model: ConversationModel): string {
  const group = model.groups.find(({ phase }) => phase !== 'ended');
  if (group) return `${group.inputs.map(({ text }) => text).join()} was never answered (${group.phase})`;
  if (model.sent < model.callbacks.length) return `never posted: ${model.callbacks[model.sent]}`;
  if (model.plan) return `follow-up ${model.plan.attempt} never came`;
  return '';
}

/** Callbacks of one conversation are posted one after the other. */
function overlapping(history: readonly Seen[]): string {
  const posts = history.filter(({ what }) => what.kind === 'send').sort((a, b) => a.from - b.from);
  const second = posts.find((post, index) => index > 0 && posts[index - 1]!.to > post.from);
  return second ? `two callbacks at once (${JSON.stringify(second.what)})` : '';
}

function copy(model: ConversationModel): ConversationModel {
  return Object.assign(new ConversationModel(), structuredClone(Object.fromEntries(Object.entries(model))));
}
