/** Decides what a run does next from the model's reply: answer, call tools, or transfer. */
export interface Reply {
  text: string;
  calls: { callId: string; name: string; input: unknown }[];
}

export interface TransferTarget {
  id: string;
  name: string;
  active: boolean;
  deleted: boolean;
}

export type Decision =
  | { kind: 'answer'; text: string }
  | { kind: 'transfer'; text: string; to: string }
  | {
      kind: 'tools';
      text: string;
      calls: { call_id: string; name: string; input: unknown; result?: string }[];
    };

export const maxTransfers = 5;
export const maxSteps = 12;
export const stepLimitSentence = `The agent did not come to an end within ${maxSteps} steps.`;

/**
 * Decides the next step. A valid transfer wins over the other calls of a reply. A refused transfer is returned to the
 * model as a tool error; but if the run has used all its transfers and the reply has text, that text is the answer.
 */
export function decideStep(
  reply: Reply,
  run: { transfers: number; targets: readonly TransferTarget[]; transferTool: string },
): Decision {
  const { text, calls } = reply;
  if (calls.length === 0) return { kind: 'answer', text };
  const transfer = calls.find((call) => call.name === run.transferTool);
  if (transfer === undefined) {
    return {
      kind: 'tools',
      text,
      calls: calls.map(({ callId, name, input }) => ({ call_id: callId, name, input })),
    };
  }
  const wanted = agentNameIn(transfer.input);
  const target = run.targets.find((candidate) => candidate.name === wanted && !candidate.deleted);
  if (target?.active === true && run.transfers < maxTransfers)
    return { kind: 'transfer', text, to: target.id };
  if (run.transfers >= maxTransfers && text !== '') return { kind: 'answer', text };
  const refusal = refusalOf(wanted, target, run.transfers);
  return {
    kind: 'tools',
    text,
    calls: calls.map(({ callId, name, input }) => ({
      call_id: callId,
      name,
      input,
      result: name === run.transferTool ? refusal : 'Not executed: it stood beside a transfer.',
    })),
  };
}

function refusalOf(wanted: string, target: TransferTarget | undefined, transfers: number): string {
  if (transfers >= maxTransfers) {
    return `Error: this run has been transferred ${maxTransfers} times already. Answer the user yourself.`;
  }
  return target === undefined
    ? `Error: there is no agent "${wanted}" that you may transfer to. Answer the user yourself.`
    : `Error: the agent "${wanted}" is switched off. Answer the user yourself.`;
}

function agentNameIn(input: unknown): string {
  return typeof input === 'object' && input !== null && 'agent' in input && typeof input.agent === 'string'
    ? input.agent
    : '';
}
