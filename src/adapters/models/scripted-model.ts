/** `scripted/default`: answers from the agent's script, without a key or network. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ScriptRule } from '../../contract/conversations/agents.ts';
import { noRuleNote, scriptedModelId } from '../../contract/models/scripted.ts';
import { ModelFault, transferTool, type Model, type ModelReply, type ModelRequest } from './model.ts';
import { firstMatch } from './script-patterns.ts';
import { TimeShares } from './time-shares.ts';

/** Counts one more failure of a rule in a conversation. @returns the count, including this failure */
export type CountScriptFailure = (conversationId: string, rule: string, most: number) => Promise<number>;

/** Maximum delay of one answer, even if a script asks for more. */
const maxWaitMs = 60_000;
/**
 * Milliseconds of matching that an organization may use per second, and at once. Most matches take less than 0.1 ms.
 */
const matching = { shareMs: 100, burstMs: 300 };

/**
 * The model that answers from the agent's script. `ask` throws ModelFault if a rule demands it, or if an expression
 * cannot be compiled.
 */
export function scriptedModel(countFailure: CountScriptFailure): Model {
  const shares = new TimeShares(matching);
  return {
    id: scriptedModelId,
    ask: async (request) => {
      const { kind, text, data } = trigger(request);
      const { agent, organizationId, signal } = request;
      const found = await shares.use(organizationId, signal, () =>
        firstMatch(agent.script ?? [], kind, text),
      );
      if (found === undefined) return await say(request, data ?? `${noRuleNote} ${text}`, []);
      const { rule, index, expand } = found;
      const delayMs = Math.min(rule.delay_ms ?? 0, maxWaitMs);
      if (delayMs > 0) await sleep(delayMs, undefined, { signal });
      if (rule.fail !== undefined) await failAsTold(request, index, rule.fail, countFailure);
      const calls: ModelReply['calls'] = [];
      if (rule.transfer_to !== undefined) {
        calls.push({ callId: `script-${index}`, name: transferTool, input: { agent: rule.transfer_to } });
      } else if (rule.tool !== undefined) {
        calls.push({ callId: `script-${index}`, name: rule.tool.action, input: rule.tool.input });
      }
      const reply = rule.reply === undefined ? '' : expand(rule.reply);
      return await say(request, reply, calls, { wordMs: rule.word_ms ?? 0, leftMs: maxWaitMs - delayMs });
    },
  };
}

/** Streams the text word by word, as a language model would. */
async function say(
  { onText, signal }: ModelRequest,
  text: string,
  calls: ModelReply['calls'],
  { wordMs, leftMs } = { wordMs: 0, leftMs: 0 },
): Promise<ModelReply> {
  if (onText !== undefined || wordMs > 0) {
    const words = text.match(/\s+\S*|\S+/g) ?? [];
    const pauseMs = Math.min(wordMs, leftMs / words.length);
    for (const word of words) {
      if (pauseMs > 0) await sleep(pauseMs, undefined, { signal });
      onText?.(word);
    }
  }
  return { text, calls, model: scriptedModelId, inputTokens: 0, outputTokens: 0, truncated: false };
}

interface Trigger {
  kind: NonNullable<ScriptRule['on']>;
  text: string;
  /** The reply if no rule matches a tool's result. */
  data?: string;
}

function trigger(request: ModelRequest): Trigger {
  const results = request.steps.at(-1)?.calls.map((call) => call.result);
  if (results === undefined) return { kind: request.kind, text: request.input };
  const text = results.join('\n');
  return { kind: 'tool_result', text, data: text };
}

async function failAsTold(
  request: ModelRequest,
  index: number,
  fail: NonNullable<ScriptRule['fail']>,
  countFailure: CountScriptFailure,
): Promise<void> {
  if (fail.times !== undefined) {
    const failures = await countFailure(request.conversationId, `${request.agent.id}/${index}`, fail.times);
    if (failures > fail.times) return;
  }
  throw new ModelFault(fail.message, { retryable: fail.retryable });
}
