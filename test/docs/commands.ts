/** Splits a block into its commands, each with the output that the page shows. */

export interface Shown {
  command: string;
  /** Undefined if the block shows no answer. */
  answer: string | undefined;
}

/** Reads a `console` block: commands begin with `$ `, the lines after them are their answer. */
export function readConsole(text: string): Shown[] {
  const shown: { command: string; answer: string[] }[] = [];
  for (const line of text.split('\n')) {
    const last = shown.at(-1);
    if (last?.answer.length === 0 && goesOn(last.command)) last.command += `\n${line}`;
    else if (line.startsWith('$ ')) shown.push({ command: line.slice(2), answer: [] });
    else if (last === undefined) throw new Error('A console block begins with a command: $ …');
    else last.answer.push(line);
  }
  return shown.map(({ command, answer }) => {
    const whole = answer.join('\n').trim();
    return { command, answer: whole === '' ? undefined : whole };
  });
}

/** Returns the commands of an `sh` block, without comments. */
export function readShell(text: string): Shown[] {
  const commands: string[] = [];
  let open = '';
  for (const line of text.split('\n')) {
    open += open === '' ? line : `\n${line}`;
    if (goesOn(open)) continue;
    const command = withoutComment(open).trim();
    if (command !== '') commands.push(command);
    open = '';
  }
  if (open !== '') throw new Error(`This command has no end: ${open}`);
  return commands.map((command) => ({ command, answer: undefined }));
}

/** Returns the commands that `&&` joins. */
export function parts(command: string): string[] {
  return command
    .replaceAll('\\\n', ' ')
    .split(/\s+&&\s+/)
    .map((part) => part.trim());
}

/** The settings before a command, as the shell reads them. */
export function settingsOf(command: string): Record<string, string> {
  const before = /^(?:\w+=(?:'[^']*'|\S)+\s+)*/.exec(command)?.[0] ?? '';
  return Object.fromEntries(
    [...before.matchAll(/(\w+)=((?:'[^']*'|\S)+)/g)].map(([, name = '', value = '']) => [
      name,
      value.replaceAll("'", ''),
    ]),
  );
}

/** A backslash at its end, or a quote that is not closed. */
function goesOn(command: string): boolean {
  if (command.endsWith('\\')) return true;
  const rest = command
    .replaceAll(/\\./gs, '')
    .replaceAll(quotedOrComment, (_, comment?: string) => (comment === undefined ? '' : '\n'));
  return /['"]/.test(rest);
}

/** Quoted text, or (in the group) a comment. */
const quotedOrComment = /'[^']*'|"[^"]*"|(?:^|(?<=\s))(#[^\n]*)/g;

function withoutComment(command: string): string {
  return command.replaceAll(quotedOrComment, (found, comment?: string) =>
    comment === undefined ? found : '',
  );
}
