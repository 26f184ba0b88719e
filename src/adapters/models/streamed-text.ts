/** A reply's text while it comes, in the form in which the whole is kept: clean, without white space at its ends. */
import { cleanText } from './model-text.ts';

export class StreamedText {
  readonly #tell: (piece: string) => void;
  /** White space that may be the end, or half a character. */
  #held = '';
  #begun = false;

  constructor(tell: (piece: string) => void) {
    this.#tell = tell;
  }

  /** Together, the pieces that are told are `cleanText(all).trim()`. */
  push(piece: string): void {
    const all = this.#held + piece.replaceAll('\0', '');
    const text = this.#begun ? all : all.trimStart();
    const said = (/[\uD800-\uDBFF]$/.test(text) ? text.slice(0, -1) : text).trimEnd();
    this.#held = text.slice(said.length);
    if (said === '') return;
    this.#begun = true;
    this.#tell(cleanText(said));
  }

  /** What was held as half a character has remained one. */
  end(): void {
    const rest = cleanText(this.#held).trimEnd();
    this.#held = '';
    if (rest !== '') this.#tell(this.#begun ? rest : rest.trimStart());
  }
}
