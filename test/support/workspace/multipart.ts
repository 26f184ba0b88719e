/** The parts of a `multipart/form-data` body (RFC 7578), as the send endpoint needs them. */
export interface FormPart {
  name: string;
  filename: string | undefined;
  type: string;
  bytes: Buffer;
}

/** undefined when the body is not in this form. */
export function formParts(raw: Buffer, contentType: string): FormPart[] | undefined {
  const boundary = /boundary="?([^";]+)"?/.exec(contentType)?.[1];
  if (boundary === undefined) return undefined;
  const mark = Buffer.from(`\r\n--${boundary}`);
  const body = Buffer.concat([Buffer.from('\r\n'), raw]);
  const parts: FormPart[] = [];
  let at = body.indexOf(mark);
  if (at < 0) return undefined;
  for (;;) {
    const start = at + mark.length;
    if (body.subarray(start, start + 2).toString() === '--') return parts;
    const end = body.indexOf(mark, start);
    const head = body.indexOf('\r\n\r\n', start);
    if (end < 0 || head < 0 || head > end) return undefined;
    const headers = body.subarray(start, head).toString();
    const name = /\bname="([^"]*)"/i.exec(headers)?.[1];
    if (name === undefined) return undefined;
    parts.push({
      name,
      filename: /\bfilename="([^"]*)"/i.exec(headers)?.[1],
      type: /^content-type:\s*(.+)$/im.exec(headers)?.[1]?.trim() ?? '',
      bytes: body.subarray(head + 4, end),
    });
    at = end;
  }
}
