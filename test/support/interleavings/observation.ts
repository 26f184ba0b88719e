/** Observations of a conversation from outside its code: statements with their answers, callbacks that arrived. */
export interface AgentRules {
  windowMs: number;
  capMs: number;
  most: number;
  /** An input joins the run in progress, which then starts again. */
  merges: boolean;
  /** Milliseconds of silence before each follow-up. */
  followUps: number[];
}

export interface SeenInput {
  text: string;
  url?: string | undefined;
  meta?: number | undefined;
}

/** `began`: by the counter of what was seen, when its activity began. */
type Claim = { kind: 'claim'; t: number; flush: boolean; began: number };

export type Observation =
  | ({
      kind: 'accept';
      t: number;
      sync: boolean;
      run: string;
      debounced: boolean;
      repeat: boolean;
    } & SeenInput)
  | (Claim & { got: 'idle' })
  /** Deliveries that were left behind; `idle` if no group waits behind them. */
  | (Claim & { got: 'deliver'; idle: boolean })
  | (Claim & { got: 'waiting'; until: number })
  | (Claim & { got: 'run'; run: string; inputs: string })
  | (Claim & { got: 'ended'; run: string })
  | {
      kind: 'followUp';
      t: number;
      of: string;
      attempt: number;
      got: 'run' | 'superseded' | 'ended';
      run: string;
    }
  | {
      kind: 'step';
      t: number;
      run: string;
      step: number;
      /** `stale`: refused, since the run had got an input meanwhile. */
      did: 'answer' | 'transfer' | 'tools' | 'fail' | 'stale';
      text: string;
      /** The inputs of the model call; unknown for a failed one. */
      inputs?: number;
    }
  | { kind: 'send'; t: number; until: number; body: string; killed: boolean }
  | { kind: 'stop'; t: number; stamp: number }
  | { kind: 'cancel'; t: number; inputs: number };

/** When a statement was in progress, by a counter: two that overlap may have happened in either order. */
export interface Seen {
  from: number;
  to: number;
  what: Observation;
}

/** A callback, in the form that the model and the observer share. */
export function callbackLine(
  url: string,
  mark: string,
  agent: number,
  says: string,
  meta: number | undefined,
): string {
  return JSON.stringify([url, mark, agent, says, meta ?? null]);
}

export function markOf(did: string, attempt: number): string {
  return did === 'fail' ? did : `${did} ${attempt}`;
}
