import type { Rehearsal } from '../../../contract/rehearsals/rehearsals.ts';
import { texts } from '../../messages.ts';

const t = texts.rehearsals.ruleTexts;

/**
 * Describes a rule as the end of a sentence about the answer, for example “must contain …”.
 * @returns an empty text if the rule is undefined
 */
export function ruleText(rule: Rehearsal['rules'][number] | undefined): string {
  if (rule === undefined) return '';
  if (rule.kind === 'max_chars') return t.max_chars(rule.max);
  return rule.kind === 'json_schema' ? t.json_schema : t[rule.kind](rule.text);
}
