/**
 * Returns what a reader wants to paste from a code block. For a terminal session (`console`), these are the commands
 * after `$ `, with the lines that continue a command after a backslash, but without the output. A session without
 * commands is returned whole.
 */
export function copiedText(code: string, language: string): string {
  if (language !== 'console') return code;
  const commands: string[] = [];
  let continues = false;
  for (const line of code.split('\n')) {
    if (!continues && !line.startsWith('$ ')) continue;
    commands.push(continues ? line : line.slice(2));
    continues = line.endsWith('\\');
  }
  return commands.length === 0 ? code : commands.join('\n');
}
