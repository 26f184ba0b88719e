/**
 * The events of a run other than its messages: tool calls, failed model calls and deliveries. A click on an event shows
 * its details.
 */
import { Badge, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { CallApproval, DeliveryView, TimelineRun } from '../../../../contract/conversations/timeline.ts';
import { ApprovalBadge, ApprovalDeadline, ApprovalDecision } from '../../../components/approval-decision.tsx';
import { indented } from '../../../components/format.ts';
import { DeliveryDetail, StatusBadge } from '../../../components/delivery-detail.tsx';
import { IconAlertTriangle, IconCircleCheck, IconSend, IconTool } from '../../../components/icons.tsx';
import { Ago, Fold, Hint, Label, Multiline, PlainText, When } from '../../../components/text.tsx';
import { ToolArguments, ToolName } from '../../../components/tool-text.tsx';
import { briefResult, plainToolName } from '../../../components/plain-tool.ts';
import { texts } from '../../../messages.ts';
import { ToolBadge, wasRefused } from './tool-badge.tsx';

const t = texts.timeline;

/** @returns the milliseconds that a tool call took; undefined if it has not started or not ended */
export function tookMs(call: { started_at: string | null; finished_at: string | null }): number | undefined {
  const { started_at, finished_at } = call;
  if (started_at === null || finished_at === null) return undefined;
  return Date.parse(finished_at) - Date.parse(started_at);
}

/**
 * The tool calls of one step, each with its status, duration, input, result and, if it needs one, approval. While a call
 * waits for a decision, only its approval is shown.
 * @param props.stop a button that stops the run, shown in the first approval that waits
 */
export function ToolCalls(props: { calls: TimelineRun['steps'][number]['tools']; stop?: ReactNode }) {
  const { calls, stop } = props;
  const first = calls.findIndex(({ approval }) => approval?.status === 'waiting');
  return calls.map((call, index) => {
    const { name, input, result, approval } = call;
    const plain = plainToolName(name);
    if (approval?.status === 'waiting')
      return (
        <WaitingApproval key={index} approval={approval} tool={plain} input={input} number={index + 1}>
          {index === first && stop}
        </WaitingApproval>
      );
    const event = (
      <Fold
        key={index}
        head={
          <>
            <IconTool />
            <ToolName tool={name} />
            <ToolBadge call={call} />
          </>
        }
        tookMs={tookMs(call)}
        brief={result === null || wasRefused(call) ? undefined : briefResult(result)}
      >
        <Hint size="xs" className="mono">
          {name}
        </Hint>
        <Label>{t.input}</Label>
        <ToolArguments
          json={JSON.stringify(input)}
          schemas={approval?.argument_schemas}
          label={`${plain}: ${t.input}`}
        />
        {result !== null && (
          <>
            <Label>{t.result}</Label>
            <PlainText text={indented(result)} label={`${plain}: ${t.result}`} />
          </>
        )}
      </Fold>
    );
    if (approval === null) return event;
    return (
      <Stack key={index} gap="xs">
        {event}
        <Decided approval={approval} tool={plain} />
      </Stack>
    );
  });
}

const a = texts.approvals;

/** Shows a call that waits for a decision, and the buttons that decide. */
function WaitingApproval(props: {
  approval: CallApproval;
  tool: string;
  input: unknown;
  number: number;
  children: ReactNode;
}) {
  const { approval, tool, input, number, children } = props;
  return (
    <div className="panel asks" role="group" aria-label={`${a.title}: ${tool}`}>
      <Group gap="xs" justify="space-between">
        <Group gap="xs">
          <IconCircleCheck />
          <Text span fw={600}>
            {a.question(tool)}
          </Text>
          <Hint size="xs">
            <Ago at={approval.requested_at} />
          </Hint>
        </Group>
        <ApprovalDeadline of={approval} />
      </Group>
      <ToolArguments
        json={JSON.stringify(input)}
        schemas={approval.argument_schemas}
        label={a.arguments(tool, number)}
        isLarge
      />
      <ApprovalDecision id={approval.id} tool={tool}>
        {children}
      </ApprovalDecision>
    </div>
  );
}

/** Shows the decision on a call. */
function Decided({ approval, tool }: { approval: CallApproval; tool: string }) {
  const { status, requested_at, decided_at, decided_by, note } = approval;
  const by = decided_by ?? '';
  const decision =
    status === 'expired'
      ? a.inTimeline.expired
      : status === 'refused'
        ? a.inTimeline.refused(by)
        : a.inTimeline.approved(by);
  return (
    <Stack gap="xs" className="panel" p="sm" role="group" aria-label={`${a.title}: ${tool}`}>
      <Group gap="xs">
        <IconCircleCheck />
        <Text span size="sm">
          {a.requested}
        </Text>
        <Hint size="xs">
          <Ago at={requested_at} />
        </Hint>
        <ApprovalBadge status={status} />
      </Group>
      <Multiline>
        {decision}, <When at={decided_at} />
        {note !== null && `: ${note}`}
      </Multiline>
    </Stack>
  );
}

type ModelFailure = TimelineRun['model_failures'][number];

/** The failed model calls of one step: their number, the last error, and the provider's message. */
export function ModelFailureEvent({ failure }: { failure: ModelFailure }) {
  return (
    <Fold
      head={
        <>
          <IconAlertTriangle />
          <Text span size="sm">
            {failure.error}
          </Text>
          <Badge color="yellow">{t.failedCalls(failure.count)}</Badge>
        </>
      }
    >
      <ProviderMessage failure={failure} />
    </Fold>
  );
}

export function ProviderMessage({ failure: { provider_message: message } }: { failure: ModelFailure }) {
  if (message === null) return <Hint size="xs">{t.noProviderMessage}</Hint>;
  return (
    <>
      <Label>{t.providerMessage}</Label>
      <Multiline>{message}</Multiline>
    </>
  );
}

export function DeliveryEvent({ delivery }: { delivery: DeliveryView }) {
  const { status } = delivery;
  const kind = delivery.kind === 'channel_reply' ? t.reply : t.callback;
  return (
    <Fold
      head={
        status === 'delivered' ? (
          <span className="quiet">
            <IconSend size={13} />
            <span>
              {kind} · <span>{texts.deliveries.statuses.delivered}</span> ·
            </span>
          </span>
        ) : (
          <>
            <IconSend />
            <Text span size="sm">
              {kind}
            </Text>
            <StatusBadge status={status} />
          </>
        )
      }
      tookMs={delivery.duration_ms}
    >
      <DeliveryDetail delivery={delivery} />
    </Fold>
  );
}
