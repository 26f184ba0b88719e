/** Who makes a call with a token. */
export interface Caller {
  tokenId: string;
  organizationId: string;
}
