/** A file of a body, decoded before the rest of the body was read: JSON.parse would hold its base64 as a text. */
export class FileBytes {
  readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }
}
