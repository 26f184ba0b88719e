/** `scripted/default`: answers by an agent's script. No key, no network; says of itself that it is scripted. */
import { setTimeout as sleep } from 'node:timers/promises';
import { RE2JS } from 're2js';
import type { ScriptRule } from '../../contract/agents.ts';
import { ModelFault, transferTool, type Model, type ModelReply, type ModelRequest } from './model.ts';

/** Counts the failures of a rule in a conversation. @returns how many there have been, this one included */
export type CountScriptFailure = (conversationId: string, rule: string, most: number) => Promise<number>;

export const scriptedModelId = 'scripted/default';

export function scriptedModel(countFailure: CountScriptFailure): Model {
  return {
    id: scriptedModelId,
    ask: async (request) => {
      const { kind, text, data } = trigger(request);
      const found = firstMatch(request.agent.script ?? [], kind, text);
      if (found === undefined)
        return await say(request, data ?? `[scripted model: no rule matched] ${text}`, []);
      const { rule, index, expand } = found;
      if (rule.delay_ms !== undefined) await sleep(rule.delay_ms, undefined, { signal: request.signal });
      if (rule.fail !== undefined) await failAsTold(request, index, rule.fail, countFailure);
      const calls: ModelReply['calls'] = [];
      if (rule.transfer_to !== undefined) {
        calls.push({ callId: `script-${index}`, name: transferTool, input: { agent: rule.transfer_to } });
      } else if (rule.tool !== undefined) {
        calls.push({ callId: `script-${index}`, name: rule.tool.action, input: rule.tool.input });
      }
      return await say(request, rule.reply === undefined ? '' : expand(rule.reply), calls, rule.word_ms);
    },
  };
}

/** Word by word, as a language model would. */
async function say(
  { onText, signal }: ModelRequest,
  text: string,
  calls: ModelReply['calls'],
  wordMs = 0,
): Promise<ModelReply> {
  if (onText !== undefined || wordMs > 0) {
    for (const word of text.match(/\s*\S+|\s+$/g) ?? []) {
      if (wordMs > 0) await sleep(wordMs, undefined, { signal });
      onText?.(word);
    }
  }
  return { text, calls, model: scriptedModelId, inputTokens: 0, outputTokens: 0, truncated: false };
}

interface Trigger {
  kind: 'message' | 'follow_up' | 'tool_result';
  text: string;
  /** The reply where no rule matches a tool's result. */
  data?: string;
}

function trigger(request: ModelRequest): Trigger {
  const results = request.steps.at(-1)?.calls.map((call) => call.result);
  if (results === undefined) return { kind: request.kind, text: request.input };
  const text = results.join('\n');
  return { kind: 'tool_result', text, data: text };
}

function firstMatch(script: readonly ScriptRule[], kind: Trigger['kind'], text: string) {
  for (const [index, rule] of script.entries()) {
    if ((rule.on ?? 'message') !== kind) continue;
    if (rule.when === undefined) return { rule, index, expand: (template: string) => template };
    const matcher = compile(rule.when).matcher(text);
    if (!matcher.find()) continue;
    const expand = (template: string) =>
      template.replace(/\$(\d)/g, (_, digit: string) =>
        Number(digit) <= matcher.groupCount() ? (matcher.group(Number(digit)) ?? '') : '',
      );
    return { rule, index, expand };
  }
  return undefined;
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

/** @throws ModelFault for an expression that RE2 does not take */
export function compile(pattern: string): RE2JS {
  try {
    return RE2JS.compile(pattern, RE2JS.DOTALL);
  } catch (cause) {
    throw new ModelFault(`The script has an expression that cannot be read: ${pattern}`, {
      retryable: false,
      cause,
    });
  }
}
