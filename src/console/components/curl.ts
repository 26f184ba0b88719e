/** Formats requests as curl commands for a POSIX shell. */

interface CurlRequest {
  /** The delivery's id, which the signature covers. */
  id: string;
  url: string;
  body: string;
  /** If true, the command signs the request with the secret in the environment variable WEBHOOK_SECRET. */
  signed: boolean;
  /** Id of the first delivery if this delivery sends the same callback again; otherwise undefined. */
  resendOf: string | undefined;
}

/**
 * @returns a command that sends the delivery's request again. The command computes a new time and signature if the
 * request is signed.
 */
export function curlOf({ id, url, body, signed, resendOf }: CurlRequest): string {
  const post = `curl -sS -X POST ${quoted(url)} -H 'Content-Type: application/json'`;
  const again = resendOf === undefined ? '' : ` -H ${quoted(`parley-resend-of: ${resendOf}`)}`;
  if (!signed) return `${post}${again} --data-raw ${quoted(body)}`;
  // Standard Webhooks: HMAC-SHA256 over id, time and body. The key is the part of the secret after whsec_, decoded from
  // base64.
  return [
    `: "\${WEBHOOK_SECRET:?Set it to the signing secret of the endpoint: whsec_…}"`,
    `ID=${quoted(id)} AT=$(date +%s) BODY=${quoted(body)}`,
    `KEY=$(printf %s "\${WEBHOOK_SECRET#whsec_}" | base64 -d | od -An -v -tx1 | tr -d ' \\n')`,
    `SIGNATURE=$(printf %s "$ID.$AT.$BODY" | openssl dgst -sha256 -mac HMAC -macopt "hexkey:$KEY" -binary | base64)`,
    `${post}${again} -H "webhook-id: $ID" -H "webhook-timestamp: $AT" -H "webhook-signature: v1,$SIGNATURE" --data-raw "$BODY"`,
  ].join('\n');
}

/** Quotes a text for a POSIX shell, so that nothing in it is expanded. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
