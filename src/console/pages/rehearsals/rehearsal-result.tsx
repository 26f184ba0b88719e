/** Short texts about a rehearsal: the version and model that it rehearses, its status, and its result. */
import { Badge, Group, Text } from '@mantine/core';
import { keysOf } from '../../../contract/keys-of.ts';
import type { Rehearsal } from '../../../contract/rehearsals/rehearsals.ts';
import { changeWords } from '../../components/format.ts';
import { Nothing, TextLink } from '../../components/text.tsx';
import { texts } from '../../messages.ts';
import { reportPath } from './rehearsal-of-content.tsx';
import { ruleText } from './rule-text.ts';

const t = texts.rehearsals;

const colors = { running: 'blue', completed: 'gray', cancelled: 'gray', failed: 'red' } as const;

export const whatOf = ({ version, model }: Pick<Rehearsal, 'version' | 'model'>): string => {
  const name = version === 'draft' ? t.draft : t.version(version);
  return model === undefined ? name : t.withModel(name, model);
};

export function RehearsalStatus({ of: { status } }: { of: Rehearsal }) {
  return <Badge color={colors[status]}>{t.statuses[status]}</Badge>;
}

/** How many turns ended with each outcome, without the outcomes of no turn. */
export function RehearsalOutcomes({ of: { outcomes } }: { of: Rehearsal }) {
  const counted = keysOf(t.outcomes).filter((outcome) => outcomes[outcome] > 0);
  if (counted.length === 0) return <Nothing />;
  return counted.map((outcome) => t.outcomeCount(outcomes[outcome], outcome)).join(' · ');
}

/** The change of cost and time, once all turns have been asked. Before, the recorded sums cover more turns. */
export function RehearsalChange({ of }: { of: Rehearsal }) {
  const { turns, done, credits, recorded_credits, model_ms, recorded_model_ms } = of;
  if (turns === 0 || done < turns) return <Nothing />;
  const changes = [
    changeWords(t.changes.cost, recorded_credits, credits),
    changeWords(t.changes.time, recorded_model_ms, model_ms),
  ].filter((change) => change !== null);
  return changes.length === 0 ? <Nothing /> : changes.join(' · ');
}

/**
 * Shows the summary of a rehearsal, behind a badge that says whether every turn passes, or why that is not known. Below,
 * shows why turns do not pass.
 */
export function RehearsalResult({ of }: { of: Rehearsal }) {
  const { status, turns, done, passed_turns } = of;
  const isWhole = status === 'completed' && turns > 0 && done === turns;
  const passes = passed_turns === done;
  const reasons = reasonsOf(of);
  return (
    <div>
      <Group gap={8}>
        {isWhole ? (
          <>
            <Badge color={passes ? 'green' : 'red'}>{passes ? t.passes : t.fails}</Badge>
            {passes ? (
              <span>{t.allTurns(done)}</span>
            ) : (
              <TextLink to={reportPath(of)}>{t.somePass(done - passed_turns, done)}</TextLink>
            )}
          </>
        ) : (
          <>
            <RehearsalStatus of={of} />
            {resultOf(of)}
          </>
        )}
      </Group>
      {reasons.length > 0 && (
        <Text component="div" size="xs" mt={4} className="plain-text">
          {reasons.map((reason) => (
            <div key={reason}>{reason}</div>
          ))}
        </Text>
      )}
    </div>
  );
}

/** What the turns that do not pass did not meet: the outcomes that are not accepted, the broken rules, the judge. */
function reasonsOf({ outcomes, accepts, rules, broken_rules, judged_worse }: Rehearsal): string[] {
  const refused = keysOf(t.outcomes).filter((outcome) => outcomes[outcome] > 0 && !accepts.includes(outcome));
  return [
    ...refused.map((outcome) => t.notAccepted(t.outcomeCount(outcomes[outcome], outcome))),
    ...broken_rules.map((index) => t.mustBe(ruleText(rules[index]))),
    ...(judged_worse ? [t.verdicts.worse] : []),
  ];
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
