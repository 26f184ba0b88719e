/**
 * Converts Markdown, which models write, to WhatsApp's formatting. Leaves addresses and code unchanged, except for the
 * language name of a code block.
 */
import { trimEndOf } from '../trim-end.ts';

const keepOpen = '\ue000';
const keepClose = '\ue001';

/**
 * Matches code, links and addresses, because code and addresses may contain characters that look like Markdown. Except
 * for fenced code blocks, quantifiers are bounded, so that matching takes linear time even for hostile text.
 */
const codeOrAddress =
  /```[\s\S]*?```|`[^`\n]{1,2000}`|(!?)\[([^[\]\n]{1,500})\]\((https?:\/\/[^\s()]{1,2000}(?:\([^\s()]{0,200}\)[^\s()]{0,500})?)(?: "[^"\n]{0,200}")?\)|https?:\/\/(?:(?!\*\*|~~)\S){1,2000}/g;

export function whatsappMarks(markdown: string): string {
  // Two private-use characters enclose the index of each part that must not change. A text that already contains one of
  // them is not converted.
  if (markdown.includes(keepOpen) || markdown.includes(keepClose)) return markdown;
  const kept: string[] = [];
  const keep = (text: string): string => `${keepOpen}${kept.push(text) - 1}${keepClose}`;
  const held = markdown.replace(
    codeOrAddress,
    (whole: string, _image: string, label?: string, url?: string) => {
      if (label !== undefined && url !== undefined)
        return label === url ? keep(url) : `${label} (${keep(url)})`;
      // The language name is removed: WhatsApp would show it as code.
      return keep(whole.replace(/^```[\w+#.-]{1,30}\r?\n/, '```\n'));
    },
  );
  const marked = held.split('\n').map(markLine).join('\n');
  return marked.replace(/\ue000(\d+)\ue001/g, (_whole, index: string) => kept[Number(index)] ?? '');
}

function markLine(line: string): string {
  const heading = headingOf(line);
  if (heading !== undefined) {
    const bare = heading.replace(/\*\*|__/g, '').trim();
    return bare === '' ? '' : `*${bare}*`;
  }
  return line
    .replace(/\*\*\*(?=\S)([^*\n]{1,1000}?)(?<=\S)\*\*\*/g, '*_$1_*')
    .replace(/\*\*(?=\S)([^*\n]{1,1000}?)(?<=\S)\*\*/g, '*$1*')
    .replace(/(?<![\w_])__(?=\S)([^_\n]{1,1000}?)(?<=\S)__(?![\w_])/g, '*$1*')
    .replace(/~~(?=\S)([^~\n]{1,1000}?)(?<=\S)~~/g, '~$1~');
}

/**
 * Returns the text of a heading without its closing `#`s; undefined if the line is not a heading, or contains a line
 * break other than `\n`.
 */
function headingOf(line: string): string | undefined {
  const start = /^ {0,3}#{1,6}[ \t]+/.exec(line)?.[0];
  if (start === undefined || /[\r\u2028\u2029]/.test(line)) return undefined;
  return trimEndOf(trimEndOf(trimEndOf(line.slice(start.length), ' \t'), '#'), ' \t');
}
