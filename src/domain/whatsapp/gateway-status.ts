/** Reads the gateway's status response: whether a WhatsApp session is connected, and with which phone number. */

export type GatewayStatusFields = {
  /**
   * The first of these fields that is present: `instance.status`, `status` (if it is a string), `state` of the root
   * object.
   */
  readonly status?: string | undefined;
  /** The field `status.connected`; in older responses, the field `connected` of the root object. */
  readonly connectedFlag?: boolean | undefined;
  /**
   * The field `instance.owner` or, if it is absent, `owner` of the root object. After a logout, it still contains the
   * last number.
   */
  readonly owner?: string | undefined;
  /** The field `status.jid` or, if that is an object, its field `user`. */
  readonly jid?: string | undefined;
};

/**
 * True if the status is `connected`, in any letter case. A search for the word would also match `disconnected`. If the
 * response has no status, `connectedFlag` decides.
 */
export function isConnected(fields: GatewayStatusFields): boolean {
  const state = fields.status?.trim().toLowerCase() ?? '';
  return state === '' ? fields.connectedFlag === true : state === 'connected';
}

/**
 * Returns the session's phone number, 8 to 15 digits; null if no session is connected or the response has no valid
 * number.
 */
export function connectedNumber(fields: GatewayStatusFields): string | null {
  if (!isConnected(fields)) return null;
  return numberOf(fields.owner) ?? numberOf(fields.jid);
}

/** Reads the phone number of a WhatsApp address. @returns 8 to 15 digits; null if the address has no such number */
export function numberOf(address: string | undefined): string | null {
  // In an example of the vendor's documentation, the owner is an e-mail address. The part before @ must therefore look
  // like a number.
  const user = (address ?? '').trim().split('@')[0]?.split(':')[0] ?? '';
  if (!/^\+?[\d\s()-]*$/.test(user)) return null;
  const digits = user.replace(/\D/g, '');
  return digits.length >= 8 && digits.length <= 15 ? digits : null;
}
