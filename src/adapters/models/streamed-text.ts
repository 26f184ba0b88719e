/** Cleans a reply's text while it streams, so that the pieces join to the stored form: clean and trimmed. */
import { cleanText } from './model-text.ts';

export class StreamedText {
  readonly #tell: (piece: string) => void;
  /** Held back: white space that may be at the end, or half of a surrogate pair. */
  #held = '';
  #begun = false;

  constructor(tell: (piece: string) => void) {
    this.#tell = tell;
  }

  /** All pieces joined equal `cleanText(all).trim()`. */
  push(piece: string): void {
    const all = this.#held + piece.replaceAll('\0', '');
    const text = this.#begun ? all : all.trimStart();
    const said = (/[\uD800-\uDBFF]$/.test(text) ? text.slice(0, -1) : text).trimEnd();
    this.#held = text.slice(said.length);
    if (said === '') return;
    this.#begun = true;
    this.#tell(cleanText(said));
  }

  /** Drops a held half of a surrogate pair that was never completed. */
  end(): void {
    const rest = cleanText(this.#held).trimEnd();
    this.#held = '';
    if (rest !== '') this.#tell(this.#begun ? rest : rest.trimStart());
  }
}
