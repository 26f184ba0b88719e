/** Reads the gateway's status answer: is the session live, and which number is it? */

export type GatewayStatusFields = {
  /** `instance.status`, else a string `status`, else `state` at the root. */
  readonly status?: string | undefined;
  /** `status.connected`, in older shapes `connected` at the root. */
  readonly connectedFlag?: boolean | undefined;
  /** `instance.owner`, else `owner` at the root. Keeps the last number after a logout. */
  readonly owner?: string | undefined;
  /** `status.jid`, or its `user`. */
  readonly jid?: string | undefined;
};

/**
 * The seed makes the value `connected` decisive. Equality, never "contains": `disconnected` contains it. A state we
 * do not know is not connected. The flag counts only where no state is given at all.
 */
export function isConnected(fields: GatewayStatusFields): boolean {
  const state = fields.status?.trim().toLowerCase() ?? '';
  return state === '' ? fields.connectedFlag === true : state === 'connected';
}

/** @returns 8 to 15 digits, or null: not connected, or the gateway does not tell a usable number. */
export function connectedNumber(fields: GatewayStatusFields): string | null {
  if (!isConnected(fields)) return null;
  return numberOf(fields.owner) ?? numberOf(fields.jid);
}

/** @returns 8 to 15 digits, or null where the address is that of no phone. */
export function numberOf(address: string | undefined): string | null {
  // An owner may be an e-mail address in the vendor's own example: the part before @ must be a number as it stands.
  const user = (address ?? '').trim().split('@')[0]?.split(':')[0] ?? '';
  if (!/^\+?[\d\s()-]*$/.test(user)) return null;
  const digits = user.replace(/\D/g, '');
  return digits.length >= 8 && digits.length <= 15 ? digits : null;
}
