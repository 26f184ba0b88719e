import type { QuestionText } from '../../components/dialogs.tsx';
import { amount } from '../../components/format.ts';
import { texts } from '../../messages.ts';

const t = texts.data.limitQuestion;

/**
 * Returns the text of the confirmation for a monthly limit that this month's usage has already reached. Once such a
 * limit is saved, the API refuses new messages.
 * @returns undefined if the limit is above `used`, or null (no limit)
 */
export function limitQuestion(
  whose: 'organization' | 'token',
  what: 'credits' | 'messages',
  limit: number | null,
  used: number,
): QuestionText | undefined {
  if (limit === null || limit > used) return undefined;
  return { title: t.title, text: t.text[whose](t.used[what](amount(used)), amount(limit)), action: t.action };
}
