/** A file that was decoded from the request body before the rest was parsed, so that its base64 never becomes a string. */
export class FileBytes {
  readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }
}
