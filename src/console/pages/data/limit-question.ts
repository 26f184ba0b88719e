import type { QuestionText } from '../../components/dialogs.tsx';
import { amount } from '../../components/format.ts';
import { texts } from '../../messages.ts';

const t = texts.data.limitQuestion;

/**
 * Returns the text of the confirmation for a limit that is already used up: once it is saved, the API refuses calls.
 * Undefined for a higher limit, and for null (no limit).
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
