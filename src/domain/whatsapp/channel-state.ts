/** The transitions between the states of a channel's connection. A transition that is not listed is not allowed. */
import type { ChannelState } from '../../contract/whatsapp/channel.ts';

export type ChannelTrigger = 'connect' | 'verify' | 'edit' | 'disconnect';
/**
 * `live`: the gateway accepts the token, and its session is connected. `reached`: it accepts the token, but the
 * session is not connected. `failed`: any other outcome.
 */
export type GatewayCheck = 'live' | 'reached' | 'failed';

type Row = {
  readonly from: ChannelState;
  readonly trigger: ChannelTrigger;
  readonly check: GatewayCheck | 'any';
  readonly to: ChannelState;
};

const rows: readonly Row[] = [
  { from: 'not_connected', trigger: 'connect', check: 'live', to: 'awaiting_webhook' },
  { from: 'not_connected', trigger: 'connect', check: 'reached', to: 'awaiting_webhook' },
  { from: 'not_connected', trigger: 'connect', check: 'failed', to: 'not_connected' },
  { from: 'awaiting_webhook', trigger: 'verify', check: 'live', to: 'connected' },
  { from: 'awaiting_webhook', trigger: 'verify', check: 'reached', to: 'awaiting_webhook' },
  { from: 'awaiting_webhook', trigger: 'verify', check: 'failed', to: 'awaiting_webhook' },
  { from: 'connected', trigger: 'edit', check: 'any', to: 'connected' },
  { from: 'connected', trigger: 'disconnect', check: 'any', to: 'inactive' },
  // The following rows apply if the user goes back a step, disconnects a channel that is not connected yet, checks or
  // connects again, or repeats a call whose response was lost.
  { from: 'awaiting_webhook', trigger: 'connect', check: 'any', to: 'awaiting_webhook' },
  { from: 'awaiting_webhook', trigger: 'edit', check: 'any', to: 'awaiting_webhook' },
  { from: 'awaiting_webhook', trigger: 'disconnect', check: 'any', to: 'inactive' },
  { from: 'connected', trigger: 'verify', check: 'any', to: 'connected' },
  { from: 'inactive', trigger: 'connect', check: 'live', to: 'awaiting_webhook' },
  { from: 'inactive', trigger: 'connect', check: 'reached', to: 'awaiting_webhook' },
  { from: 'inactive', trigger: 'connect', check: 'failed', to: 'inactive' },
  { from: 'inactive', trigger: 'disconnect', check: 'any', to: 'inactive' },
];

/** True if the state allows the trigger for at least one outcome of the check. Called before the gateway is checked. */
export function allowsTrigger(state: ChannelState, trigger: ChannelTrigger): boolean {
  return rows.some((row) => row.from === state && row.trigger === trigger);
}

/**
 * Finds the next state.
 * @returns the state; null if the current state does not allow the trigger. `keepCredentials` is true if the check
 * used new credentials and the gateway accepted them, so that they must be stored. If it is false, the previous
 * credentials remain.
 */
export function nextChannelState(
  state: ChannelState,
  trigger: ChannelTrigger,
  check: GatewayCheck,
): { state: ChannelState; keepCredentials: boolean } | null {
  const row = rows.find(
    (one) => one.from === state && one.trigger === trigger && (one.check === 'any' || one.check === check),
  );
  if (row === undefined) return null;
  const changesCredentials = trigger === 'connect' || trigger === 'edit';
  return { state: row.to, keepCredentials: changesCredentials && check !== 'failed' };
}
