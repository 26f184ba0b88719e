/** The values of the form that starts a rehearsal, their checks, and their conversion to the API's body. */
import type { StartRehearsal, TurnOutcome } from '../../../contract/rehearsals/rehearsals.ts';
import { objectIn } from '../../components/json.ts';
import { texts } from '../../messages.ts';

const t = texts.rehearsals.start;

type RuleKind = keyof typeof t.kinds;

interface RuleValues extends Record<string, unknown> {
  kind: RuleKind;
  text: string;
  max: number | string;
  /** JSON Schema as text. */
  schema: string;
}

interface RehearsalValues extends Record<string, unknown> {
  /** `draft`, `published`, or the number of a version. */
  version: string;
  model: string;
  source: 'recent' | 'test_set';
  max_turns: number | string;
  run_read_only_tools: boolean;
  accepts: TurnOutcome[];
  rules: RuleValues[];
  judge: { model: string; criterion: string };
}

export const newRule = (): RuleValues => ({ kind: 'contains', text: '', max: 500, schema: '' });

export const rehearsalValues = (version: string): RehearsalValues => ({
  version,
  model: '',
  source: 'recent',
  max_turns: '',
  run_read_only_tools: false,
  accepts: ['same', 'other_text'],
  rules: [],
  judge: { model: '', criterion: '' },
});

/**
 * Checks for missing values, a `max_turns` that is not a whole number, and a schema that is not a JSON object.
 * @returns error messages by field; empty if all values are valid
 */
export function problemsOf({ rules, judge, max_turns }: RehearsalValues): Record<string, string> {
  const problems: Record<string, string> = {};
  if (max_turns !== '' && !Number.isInteger(Number(max_turns))) problems['max_turns'] = texts.problems.whole;
  for (const [index, { kind, text, max, schema }] of rules.entries()) {
    const path = `rules.${String(index)}`;
    if ((kind === 'contains' || kind === 'does_not_contain') && text === '')
      problems[`${path}.text`] = texts.common.required;
    if (kind === 'max_chars' && max === '') problems[`${path}.max`] = texts.common.required;
    if (kind === 'json_schema' && objectIn(schema) === undefined) problems[`${path}.schema`] = t.notJson;
  }
  if (judge.model.trim() === '' && judge.criterion.trim() !== '')
    problems['judge.model'] = texts.common.required;
  if (judge.model.trim() !== '' && judge.criterion.trim() === '')
    problems['judge.criterion'] = texts.common.required;
  return problems;
}

export function rehearsalBody(values: RehearsalValues): Record<keyof StartRehearsal, unknown> {
  const { version, source, max_turns, run_read_only_tools, accepts, rules, judge } = values;
  const [model, judgeModel] = [values.model.trim(), judge.model.trim()];
  return {
    version: version === 'published' ? undefined : version === 'draft' ? 'draft' : Number(version),
    model: model === '' ? undefined : model,
    source,
    max_turns: max_turns === '' ? undefined : Number(max_turns),
    run_read_only_tools,
    accepts,
    rules: rules.map(({ kind, text, max, schema }) => {
      if (kind === 'max_chars') return { kind, max: Number(max) };
      return kind === 'json_schema' ? { kind, schema: objectIn(schema) } : { kind, text };
    }),
    judge: judgeModel === '' ? undefined : { model: judgeModel, criterion: judge.criterion.trim() },
  };
}
