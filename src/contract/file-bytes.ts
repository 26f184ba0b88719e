/**
 * The content of a large file in a request. The API decodes the file's base64 before it parses the rest of the body, so
 * that the JSON parser does not copy the base64 text.
 */
export class FileBytes {
  readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }
}
