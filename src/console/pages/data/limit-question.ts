import type { QuestionText } from '../../components/dialogs.tsx';
import { amount } from '../../components/format.ts';
import { texts } from '../../messages.ts';

const t = texts.data.limitQuestion;

/**
 * Returns the confirmation of a limit that is already used up, because the API would refuse calls at once; undefined
 * for any other limit.
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
