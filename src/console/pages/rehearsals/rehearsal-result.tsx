/** Short texts about a rehearsal: the version and model that it rehearses, its status, and its result. */
import { Badge, Group } from '@mantine/core';
import type { Rehearsal } from '../../../contract/rehearsals/rehearsals.ts';
import { texts } from '../../messages.ts';

const t = texts.rehearsals;

const colors = { running: 'blue', completed: 'gray', cancelled: 'gray', failed: 'red' } as const;

export const whatOf = ({ version, model }: Pick<Rehearsal, 'version' | 'model'>): string => {
  const name = version === 'draft' ? t.draft : t.version(version);
  return model === undefined ? name : t.withModel(name, model);
};

export function RehearsalStatus({ of: { status } }: { of: Rehearsal }) {
  return <Badge color={colors[status]}>{t.statuses[status]}</Badge>;
}

/** Shows the summary of a rehearsal, behind a badge that says whether every turn passes, or why that is not known. */
export function RehearsalResult({ of }: { of: Rehearsal }) {
  const { status, turns, done, passed_turns } = of;
  const isWhole = status === 'completed' && turns > 0 && done === turns;
  const passes = passed_turns === done;
  return (
    <Group gap={8}>
      {isWhole ? (
        <Badge color={passes ? 'green' : 'red'}>{passes ? t.passes : t.fails}</Badge>
      ) : (
        <RehearsalStatus of={of} />
      )}
      {resultOf(of)}
    </Group>
  );
}

/**
 * Summarizes a rehearsal. While it runs, the text contains the number of turns that have been asked. Afterwards, it
 * contains how many turns pass or do not pass, and how many were not asked.
 */
export function resultOf({ status, turns, done, passed_turns: passing }: Rehearsal): string {
  if (turns === 0) return t.noTurns;
  if (status === 'running') return t.asked(done, turns);
  const result = passing === done ? t.allPass(done) : t.somePass(done - passing, done);
  if (done === turns) return result;
  return done === 0 ? t.notAsked(turns) : `${result}; ${t.notAsked(turns - done)}`;
}
