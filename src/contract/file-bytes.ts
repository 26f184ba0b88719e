/**
 * The content of a large file. The API decodes it before it parses the rest of the body, so that the JSON parser does
 * not copy the file's base64.
 */
export class FileBytes {
  readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }
}
