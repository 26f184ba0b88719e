/** Checks the rules of an HTTP tool that its schema cannot express, for example that its URL fits its parameters. */
import type { CreateHttpTool } from '../../contract/http-tools/http-tools.ts';
import { PublicError, type ErrorDetail } from '../../contract/errors.ts';
import { judgeUrl } from '../../domain/http/address-rules.ts';
import { pointerProblem } from '../../domain/http-tools/read-answer.ts';
import { isReservedToolName } from '../../domain/http-tools/tool-names.ts';
import { argumentNames, requiredNames } from '../../domain/http-tools/tool-schema.ts';
import { readUrlTemplate } from '../../domain/http-tools/url-template.ts';
import { schemaDetails } from './check-arguments.ts';
import { headerProblem } from './headers.ts';

export type CheckedTool = Omit<CreateHttpTool, 'headers'> & { headers: readonly { name: string }[] };

/** Checks a tool as a whole. @throws PublicError validation_failed with a detail for each problem */
export function checkHttpTool(tool: CheckedTool): void {
  const details = [
    ...urlProblems(tool),
    ...schemaDetails(tool.parameters, 'parameters'),
    ...headerProblems(tool),
  ];
  if (isReservedToolName(tool.name))
    details.push({ path: 'name', message: 'is the name of a built-in tool' });
  if (tool.effect === 'read' && tool.method === 'DELETE')
    details.push({ path: 'effect', message: 'must not be read with DELETE' });
  for (const [index, pointer] of tool.answer_fields.entries()) {
    const message = pointerProblem(pointer);
    if (message !== undefined) details.push({ path: `answer_fields.${index}`, message });
  }
  if (details.length > 0) throw new PublicError('validation_failed', { details });
}

function urlProblems({ url, parameters }: CheckedTool): ErrorDetail[] {
  const read = readUrlTemplate(url);
  if (read.kind === 'refused') return [{ path: 'url', message: read.message }];
  const { origin, variables, inPath } = read.template;
  const judged = judgeUrl(`${origin}/`);
  if (judged.kind === 'refused')
    return [{ path: 'url', message: `cannot be called: ${judged.reason.replaceAll('_', ' ')}` }];
  const known = argumentNames(parameters);
  const required = requiredNames(parameters);
  const unknown = variables.filter((name) => !known.includes(name));
  const optional = inPath.filter((name) => !unknown.includes(name) && !required.includes(name));
  return [
    ...unknown.map((name) => ({
      path: 'url',
      message: `names {${name}}, which is not among the parameters`,
    })),
    ...optional.map((name) => ({
      path: 'parameters',
      message: `must list ${name} as required, because it is part of the URL's path`,
    })),
  ];
}

function headerProblems({ headers }: CheckedTool): ErrorDetail[] {
  const names = headers.map(({ name }) => name.toLowerCase());
  return headers.flatMap(({ name }, index) => {
    const twice = names.indexOf(name.toLowerCase()) !== index ? 'occurs twice' : undefined;
    const message = headerProblem(name) ?? twice;
    return message === undefined ? [] : [{ path: `headers.${index}.name`, message }];
  });
}
