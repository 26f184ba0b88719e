/**
 * The content of a large file. It is decoded before the rest of the request's body is parsed, so that its base64
 * never becomes a string.
 */
export class FileBytes {
  readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }
}
