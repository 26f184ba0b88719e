/** Shows a text with syntax colours. */
import type { Token } from './json-tokens.ts';

/** @param props.tokens in their order */
export function Coloured({ text, tokens }: { text: string; tokens: readonly Token[] }) {
  const parts = [];
  let at = 0;
  for (const { kind, start, end } of tokens) {
    parts.push(
      text.slice(at, start),
      <span key={start} data-token={kind}>
        {text.slice(start, end)}
      </span>,
    );
    at = end;
  }
  return [...parts, text.slice(at)];
}
