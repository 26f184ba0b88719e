/**
 * Shows an entry of a timeline: a run with its messages, tool calls, failures, transfers and deliveries, or a message
 * that no run answers.
 */
import { Alert, Badge, Group, Loader, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import type { TimelineEntry, TimelineRun } from '../../../../contract/conversations/timeline.ts';
import { duration } from '../../../components/format.ts';
import { IconArrowRight } from '../../../components/icons.tsx';
import { plainToolName } from '../../../components/plain-tool.ts';
import { Hint, Multiline, TextLink, When } from '../../../components/text.tsx';
import { texts } from '../../../messages.ts';
import { useInspector } from '../inspector/use-inspector.ts';
import { MessageBubble } from './message-bubble.tsx';
import { DeliveryEvent, ModelFailureEvent, ProviderMessage, ToolCalls } from './run-events.tsx';
import { wasRefused } from './tool-badge.tsx';
import { endingFailure, runItems, type RunItem } from './run-items.ts';
import { isInProgress, waitsForDecision } from './timeline-polls.ts';

const t = texts.timeline;
const stateColors = {
  collecting: 'blue',
  ready: 'gray',
  running: 'blue',
  answered: 'green',
  handed_over: 'gray',
  failed: 'red',
  cancelled: 'gray',
} as const;

/**
 * @param props.customer the name shown above the contact's messages; by default, "User"
 * @param props.stop a button that stops the run, shown in the approval that the run waits for
 */
export function EntryPanel(props: { entry: TimelineEntry; customer?: string | undefined; stop?: ReactNode }) {
  const { entry, customer, stop } = props;
  return entry.kind === 'run' ? (
    <RunPanel run={entry} customer={customer} stop={stop} />
  ) : (
    <MessagePanel entry={entry} customer={customer} />
  );
}

function MessagePanel(props: {
  entry: Extract<TimelineEntry, { kind: 'message' }>;
  customer: string | undefined;
}) {
  const { entry, customer } = props;
  const { ordinal, messages, deliveries } = entry;
  // A user's message has no run if Parley stored it without answering it, for example during a takeover.
  const isOfUser = messages.some(({ origin }) => origin === 'user');
  return (
    <section className="run" aria-label={t.messageAt(ordinal)}>
      <Group gap={8} className="run-head">
        <Badge color={isOfUser ? 'gray' : 'indigo'}>{isOfUser ? t.kept : t.takenOver}</Badge>
      </Group>
      <Stack gap="sm">
        {messages.map((message) => (
          <MessageBubble key={message.id} message={message} customer={customer} />
        ))}
        {deliveries.map((delivery) => (
          <DeliveryEvent key={delivery.id} delivery={delivery} />
        ))}
      </Stack>
    </section>
  );
}

function RunPanel(props: { run: TimelineRun; customer: string | undefined; stop: ReactNode }) {
  const { run, ...shown } = props;
  const { state, mode, messages, error, closes_at, finished_at, ordinal } = run;
  const received = messages.filter(({ origin }) => origin === 'user').length;
  const failure = endingFailure(run);
  const waits = waitsForDecision(run);
  const why = useInspector().linkTo(run.id);
  const label = labelOf(run, received);
  // In the usual case, the messages come first, and the head is beside the delivery that ends the run.
  const isPlain = state === 'answered' && label === undefined;
  const items = runItems(run);
  const tools = toolsOf(run);
  const last = items.at(-1);
  const sharesLine = isPlain && last?.kind === 'delivery';
  const head = (
    <Group gap={8} className={isPlain ? 'run-foot' : 'run-head'}>
      {label !== undefined && <Badge color={mode === 'follow_up' ? 'grape' : 'indigo'}>{label}</Badge>}
      {/* The approval below says that the run waits. */}
      {!waits && state !== 'answered' && <Badge color={stateColors[state]}>{t.states[state]}</Badge>}
      {isInProgress(run) && !waits && <Loader size={14} aria-hidden />}
      {state === 'collecting' && mode === 'window' && (
        <Hint size="xs">
          {t.closes} <When at={closes_at} timeOnly />
        </Hint>
      )}
      {state === 'answered' && finished_at !== null && (
        <Hint size="xs">
          <span>{t.states.answered}</span> {run.agent_name !== null && t.by(run.agent_name)}{' '}
          {t.took(duration(Math.max(0, Date.parse(finished_at) - Date.parse(closes_at))))}
        </Hint>
      )}
    </Group>
  );
  return (
    <section className="run" aria-label={t.run(ordinal)}>
      {!isPlain && head}
      <Stack gap="sm">
        {items.map((item) =>
          sharesLine && item === last ? (
            <div key={item.key} className="run-end">
              <Item item={item} why={why} tools={tools} {...shown} />
              {head}
            </div>
          ) : (
            <Item key={item.key} item={item} why={why} tools={tools} {...shown} />
          ),
        )}
        {state === 'failed' && (
          <Alert color="red" title={t.failedRun}>
            <Stack gap="xs">
              <Multiline>{error}</Multiline>
              {typeof failure?.provider_message === 'string' && <ProviderMessage failure={failure} />}
              <TextLink to={why}>{texts.inspector.openFailed}</TextLink>
            </Stack>
          </Alert>
        )}
      </Stack>
      {isPlain && !sharesLine && head}
    </section>
  );
}

/**
 * Returns the label of a run: the number of its follow-up, that it replaces an answer, or how many messages it groups.
 * @returns undefined for the usual case, the answer to one message
 */
function labelOf({ follow_up_attempt, mode }: TimelineRun, received: number): string | undefined {
  if (follow_up_attempt !== null) return t.followUp(follow_up_attempt);
  if (received === 0) return t.replacedRun;
  return mode === 'window' ? t.grouped(received) : undefined;
}

/** @returns the plain names of the tools that ran, each once, in the order of their first calls */
const toolsOf = ({ steps }: TimelineRun): string[] => [
  ...new Set(
    steps
      .filter(({ kind }) => kind === 'tools')
      .flatMap(({ tools }) =>
        tools.filter((call) => !wasRefused(call)).map(({ name }) => plainToolName(name)),
      ),
  ),
];

/**
 * @param props.why URL that opens the inspector of the run
 * @param props.tools plain names of the tools that the run called
 */
function Item(props: {
  item: RunItem;
  customer: string | undefined;
  stop: ReactNode;
  why: string;
  tools: readonly string[];
}) {
  const { item, customer, stop, why, tools } = props;
  switch (item.kind) {
    case 'message':
      return (
        <MessageBubble
          message={item.message}
          customer={customer}
          tools={item.message.pre_transfer ? [] : tools}
          action={
            item.message.origin === 'agent' && (
              <TextLink to={why} size="xs">
                {texts.inspector.open}
              </TextLink>
            )
          }
        />
      );
    case 'tools':
      return <ToolCalls calls={item.step.tools} stop={stop} />;
    case 'modelFailure':
      return <ModelFailureEvent failure={item.failure} />;
    case 'delivery':
      return <DeliveryEvent delivery={item.delivery} />;
    case 'transfer':
      return (
        <div className="transfer">
          <IconArrowRight size={14} />
          <span>{t.transferred(item.from, item.to)}</span>
        </div>
      );
    case 'handOver':
      return (
        <div className="transfer">
          <IconArrowRight size={14} />
          <span className="plain-text">{t.handedOver(item.by, item.reason)}</span>
        </div>
      );
  }
}
