/** Formats messages for a model: the text, with a quoted message or the names of files in brackets. */

/** Maximum characters of a quoted message. Chosen: enough to recognize it. */
const maxQuotedChars = 300;

/** Formats an input of the run. `quoted`: the text of the message to which the user replied. */
export function inputText({ text, quoted }: { text: string; quoted: string | null }): string {
  if (quoted === null) return text;
  // A character has at most two UTF-16 units.
  const shown = Array.from(quoted.slice(0, 2 * maxQuotedChars))
    .slice(0, maxQuotedChars)
    .join('');
  return `[In reply to: ${shown}]\n${text}`;
}

/** Joins the inputs of a run. A message that has only files has no text, and leaves no empty line. */
export function joinInputs(texts: readonly string[]): string {
  return texts.filter((text) => text !== '').join('\n');
}

/** Formats an earlier message. `files`: the names of the message's files, null for a file without a name. */
export function historyText({ text, files }: { text: string; files: (string | null)[] | null }): string {
  return files === null ? text : `${text}\n[Attached: ${files.map((name) => name ?? 'a file').join(', ')}]`;
}
