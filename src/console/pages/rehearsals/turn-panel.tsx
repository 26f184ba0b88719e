/** Shows a recorded turn beside the same turn asked again, with the differences marked. */
import { Badge, Group, Stack, Text } from '@mantine/core';
import type {
  Rehearsal,
  RehearsalTurn,
  TurnCall,
  TurnOutcome,
} from '../../../contract/rehearsals/rehearsals.ts';
import type { ReactNode } from 'react';
import { amount, duration } from '../../components/format.ts';
import { isObject } from '../../components/json.ts';
import { RichText } from '../../components/rich-text.tsx';
import { Hint, Label, Multiline, TextLink } from '../../components/text.tsx';
import { ToolName } from '../../components/tool-text.tsx';
import { texts } from '../../messages.ts';
import {
  differingCalls,
  differingPlaces,
  differingTexts,
  differsUnseen,
  type DifferingText,
} from './differences.ts';
import { whatOf } from './rehearsal-result.tsx';
import { ruleText } from './rule-text.ts';

const t = texts.rehearsals;

const colors: Record<TurnOutcome, string> = {
  same: 'green',
  other_text: 'blue',
  other_tool: 'orange',
  other_arguments: 'orange',
  other_transfer: 'orange',
  refused: 'red',
  failed: 'red',
};

type Answer = RehearsalTurn['recorded'];

export function TurnPanel(props: {
  turn: RehearsalTurn;
  rehearsal: Rehearsal;
  nameOf: (agentId: string) => string;
}) {
  const { turn, rehearsal, nameOf } = props;
  const { rules } = rehearsal;
  const { position, input, outcome, passed, diverged, error, judgement, recorded, rehearsed } = turn;
  const { recorded_version: version } = turn;
  const calls = rehearsed?.calls ?? [];
  // If the turn stopped early, it has no answer, so the texts are not compared.
  const isAnswered = rehearsed !== null && !diverged && outcome !== 'failed' && outcome !== 'refused';
  const [recordedDiffers, nowDiffers] = isAnswered ? differingPlaces(recorded.text, rehearsed.text) : [];
  const [recordedRaw, nowRaw] =
    isAnswered && differsUnseen(recorded.text, rehearsed.text)
      ? differingTexts(recorded.text, rehearsed.text)
      : [];
  return (
    <Stack component="article" className="panel rehearsed-turn" gap="sm" aria-label={t.turn(position + 1)}>
      <Group justify="space-between" gap="xs">
        <Group gap={8}>
          <Label size="sm">{t.turn(position + 1)}</Label>
          {outcome === null ? (
            <Badge color="gray">{t.waiting}</Badge>
          ) : (
            <Badge color={colors[outcome]}>{t.outcomes[outcome]}</Badge>
          )}
          {passed === false && <Badge color="red">{t.fails}</Badge>}
        </Group>
        <TextLink to={`/conversations/${turn.conversation_id}`}>{t.openConversation}</TextLink>
      </Group>
      <div>
        <Label>{t.user}</Label>
        <Multiline lineClamp={6}>{input === '' ? t.noInput : input}</Multiline>
      </div>
      <div className="rehearsed-sides">
        <Side
          title={version === null ? t.recorded : `${t.recorded} · ${t.version(version)}`}
          answer={recorded}
          differs={recordedDiffers}
          raw={recordedRaw}
          isOnly={rehearsed === null ? [] : differingCalls(recorded.calls, calls)}
          mark={t.onlyRecorded}
          nameOf={nameOf}
        />
        {rehearsed !== null && (
          <Side
            title={`${t.now} · ${whatOf(rehearsal)}`}
            answer={rehearsed}
            differs={nowDiffers}
            raw={nowRaw}
            isOnly={differingCalls(calls, recorded.calls)}
            mark={t.onlyNow}
            nameOf={nameOf}
          >
            {diverged && <Text size="sm">{t.diverged}</Text>}
            {error !== undefined && (
              <Text size="sm" className="plain-text failed-call">
                {error}
              </Text>
            )}
            {turn.broken_rules.map((index) => (
              <Text key={index} size="sm" className="failed-call">
                {t.brokenRule(index + 1, ruleText(rules[index]))}
              </Text>
            ))}
            {judgement && (
              <Text size="sm" className="plain-text said">
                <b>{t.verdicts[judgement.verdict]}</b> {judgement.reason}
              </Text>
            )}
          </Side>
        )}
      </div>
    </Stack>
  );
}

function Side(props: {
  title: string;
  answer: Answer;
  /** Places of the text that differ from the other answer. */
  differs: [number, number] | undefined;
  /** The text as it was written. Shown if it differs in what Markdown hides. */
  raw: DifferingText | undefined;
  isOnly: readonly boolean[];
  mark: string;
  nameOf: (agentId: string) => string;
  children?: ReactNode;
}) {
  const { title, answer, differs, raw, isOnly, mark, nameOf, children } = props;
  const { calls, transfer_to, credits, model_ms } = answer;
  return (
    <div className="rehearsed-side" role="group" aria-label={title} tabIndex={0}>
      <Stack gap="xs">
        <Group justify="space-between" gap="xs">
          <Label>{title}</Label>
          <Hint size="xs">
            {texts.inspector.credits(amount(credits))} · {duration(model_ms)}
          </Hint>
        </Group>
        {calls.map((call, index) => (
          <Call key={index} call={call} mark={isOnly[index] === true && mark} />
        ))}
        {transfer_to !== null && <Text size="sm">{t.transfer(nameOf(transfer_to))}</Text>}
        {answer.text === '' ? (
          calls.length === 0 && transfer_to === null && <Hint>{t.noText}</Hint>
        ) : (
          <Text size="sm" component="div">
            {raw === undefined ? (
              <RichText text={answer.text} differs={differs} />
            ) : (
              <div className="plain-text">
                {raw.start}
                {raw.differs !== '' && <mark className="differs">{raw.differs}</mark>}
                {raw.end}
              </div>
            )}
          </Text>
        )}
        {children}
      </Stack>
    </div>
  );
}

function Call({ call: { name, arguments: given }, mark }: { call: TurnCall; mark: string | false }) {
  const values = isObject(given) ? given : { '': given };
  return (
    <div className="rehearsed-call" data-differs={mark !== false || undefined}>
      <Group gap={8}>
        <ToolName tool={name} />
        {mark !== false && <Badge color="orange">{mark}</Badge>}
      </Group>
      {Object.entries(values).map(([key, value]) => (
        <Text key={key} size="xs" className="plain-text">
          {key === '' ? '' : `${key}: `}
          {typeof value === 'string' ? value : JSON.stringify(value)}
        </Text>
      ))}
    </div>
  );
}
