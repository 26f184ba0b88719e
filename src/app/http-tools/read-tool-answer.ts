/** Converts the answer of an HTTP tool's server to the result that a model reads. */
import type { Answer } from '../../adapters/http/public-http.ts';
import type { HttpToolRow } from '../../adapters/postgres/http-tools/http-tools.ts';
import type { HttpToolResult } from '../../contract/http-tools/http-tools.ts';
import { chosenParts, cutTo, withoutSecrets } from '../../domain/http-tools/read-answer.ts';
import { maybeCarriedOut } from '../tool-attempt.ts';

/** Maximum characters that a model reads of an error answer. Chosen. */
const maxErrorChars = 1000;

type Tool = Pick<HttpToolRow, 'effect' | 'answer_fields' | 'answer_max_chars'>;

/**
 * Converts the answer of a tool's server to a result with a text for the model.
 * @param secrets values of the tool's headers; `withoutSecrets` replaces them in the server's text
 * @returns `succeeded` for a status of 2xx, unless the tool's effect is `read` and the body cannot be read, for example
 * because it broke off or is not text; otherwise `failed`
 */
export function readToolAnswer(answer: Answer, tool: Tool, secrets: readonly string[]): HttpToolResult {
  const { status } = answer;
  const isOk = status >= 200 && status < 300;
  const clean = (text: string, maxChars: number) => cutTo(withoutSecrets(text, secrets), maxChars);
  if (isOk) {
    const read = contentOf(answer, tool);
    if (read.isReadable) return { outcome: 'succeeded', text: clean(read.text, tool.answer_max_chars) };
    return tool.effect === 'read'
      ? { outcome: 'failed', text: `The server answered ${status}, but ${read.text}.` }
      : { outcome: 'succeeded', text: `The server accepted the request (${status}), but ${read.text}.` };
  }
  const isRedirect = status >= 300 && status < 400;
  const said = isRedirect ? ', a redirect, which Parley does not follow' : '';
  // A reverse proxy may send a status of 5xx although the server behind it has received and carried out the request.
  const doubt = tool.effect !== 'read' && status >= 500 ? maybeCarriedOut : '';
  const read = isRedirect ? undefined : contentOf(answer, { ...tool, answer_fields: [] });
  const text = read?.isReadable === true ? `\n${clean(read.text, maxErrorChars)}` : '';
  return { outcome: 'failed', text: `The server answered ${status}${said}.${doubt}${text}` };
}

type Content = { isReadable: boolean; text: string };

/**
 * @returns the text for the model; if `isReadable` is false, the reason why the body cannot be read, as the end of a
 * sentence
 */
function contentOf(answer: Answer, { answer_fields, answer_max_chars }: Tool): Content {
  const { headers, body, bodyComplete, truncated } = answer;
  const unreadable = (text: string): Content => ({ isReadable: false, text });
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity' && body.length > 0) return unreadable('its answer is compressed');
  if (!bodyComplete && !truncated) return unreadable('its answer broke off');
  if (body.length === 0)
    return answer_fields.length === 0
      ? { isReadable: true, text: 'The server answered without content.' }
      : unreadable('its answer is empty');
  const type = (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const text = new TextDecoder().decode(body);
  const isJson = /^application\/(?:.*\+)?json$/.test(type);
  if (answer_fields.length > 0) {
    if (truncated) return unreadable('its answer is too large to be read');
    const parsed = parse(text);
    if (parsed === undefined)
      return unreadable(`its answer is not JSON${type === '' ? '' : ` but ${shortened(type)}`}`);
    const parts = attempted(() => chosenParts(parsed.value, answer_fields, answer_max_chars));
    return parts === undefined
      ? unreadable('its answer is nested too deeply')
      : { isReadable: true, text: parts };
  }
  const isText = isJson || type === '' || /^text\/|^application\/(?:.*\+)?(?:xml|yaml)$/.test(type);
  if (!isText || text.includes('\0'))
    return unreadable(`its answer is no text${isText ? '' : ` but ${shortened(type)}`}`);
  const compact = isJson && !truncated ? compacted(text) : text;
  return { isReadable: true, text: truncated ? `${compact}\n[The answer is larger than this.]` : compact };
}

const shortened = (type: string): string => type.replace(/[^a-z0-9/.+-]/g, '').slice(0, 60);

function parse(text: string): { value: unknown } | undefined {
  return attempted(() => {
    const value: unknown = JSON.parse(text);
    return { value };
  });
}

/**
 * Removes white space between the tokens of JSON. Writes numbers as JavaScript does, so large integers lose digits. A
 * text that is not JSON or is nested too deeply is returned unchanged.
 */
function compacted(text: string): string {
  return attempted(() => JSON.stringify(JSON.parse(text))) ?? text;
}

/**
 * Calls `work`, which throws if its text is not JSON or is nested too deeply.
 * @returns the result of `work`; undefined if `work` throws
 */
function attempted<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
