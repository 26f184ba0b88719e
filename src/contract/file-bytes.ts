/** A large file, decoded before the rest of the request body is parsed, so that its base64 does not become a string. */
export class FileBytes {
  readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }
}
