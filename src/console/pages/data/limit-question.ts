import { amount } from '../../components/durations.ts';
import type { QuestionText } from '../../components/question.tsx';
import { words } from '../../messages.ts';

const w = words.data.limitQuestion;

/** A limit that is used up already refuses calls from the moment it is saved: asks before that. */
export function limitQuestion(
  whose: 'organization' | 'token',
  what: 'credits' | 'messages',
  limit: number | null,
  used: number,
): QuestionText | undefined {
  if (limit === null || limit > used) return undefined;
  return { title: w.title, text: w.text[whose](w.used[what](amount(used)), amount(limit)), action: w.action };
}
