/** The steps of a run in order: each model call with its failed attempts, text, tool calls and outcome. */
import { Badge, Button, Stack, Text } from '@mantine/core';
import type { ModelStepDetail, RunDetail } from '../../../../contract/conversations/run-detail.ts';
import { amount, duration, indented } from '../../../components/format.ts';
import { Fold, Hint, Label, Multiline, PlainText } from '../../../components/text.tsx';
import { texts } from '../../../messages.ts';
import { tookMs } from '../timeline/run-events.tsx';
import { ToolBadge } from '../timeline/tool-badge.tsx';
import { plainToolName, subjectOf } from '../../../components/plain-tool.ts';
import { ToolArguments } from '../../../components/tool-text.tsx';

const t = texts.inspector;

export function ModelSteps(props: {
  run: RunDetail;
  steps: readonly ModelStepDetail[];
  more: (() => void) | undefined;
  isLoading: boolean;
}) {
  const { run, steps, more, isLoading } = props;
  return (
    <section className="inspector-part" aria-label={t.steps}>
      <h3>{t.steps}</h3>
      {steps.length === 0 ? (
        <Hint>{t.noSteps}</Hint>
      ) : (
        <ol className="model-steps">
          {steps.map((step, index) => (
            <Step key={step.step} step={step} next={steps[index + 1]} isFailed={run.state === 'failed'} />
          ))}
        </ol>
      )}
      {more !== undefined && (
        <Button size="xs" variant="default" loading={isLoading} onClick={more}>
          {t.more}
        </Button>
      )}
    </section>
  );
}

function Step(props: { step: ModelStepDetail; next: ModelStepDetail | undefined; isFailed: boolean }) {
  const { step, next, isFailed } = props;
  const { kind, model, model_id, model_ms, input_tokens, output_tokens, credits, has_price, calls } = step;
  const name = model ?? model_id;
  const figures = [
    ...(model_ms === null ? [] : [duration(model_ms)]),
    ...(input_tokens + output_tokens > 0 ? [t.stepTokens(amount(input_tokens), amount(output_tokens))] : []),
    ...(credits > 0 ? [t.credits(amount(credits))] : []),
  ];
  const more = step.failure_count - step.failures.length;
  return (
    <li>
      <Text size="sm" fw={600} component="div">
        {name === null ? t.asksUnknown : t.asks(name)}
        {step.was_cut && (
          <Badge color="yellow" ml={8} title={t.wasCutHelp}>
            {t.wasCut}
          </Badge>
        )}
      </Text>
      {step.fallback !== null && (
        <Text size="sm" className="plain-text">
          {t.fallback(step.fallback.failed_model, step.fallback.reason, step.model_id ?? '')}
        </Text>
      )}
      {figures.length > 0 && <Hint size="xs">{figures.join(' · ')}</Hint>}
      {credits > 0 && !has_price && step.model_id !== null && <Hint size="xs">{t.defaultPrice}</Hint>}
      <Stack gap="xs" mt={6}>
        {more > 0 && <Hint size="xs">{t.moreFailed(more)}</Hint>}
        {step.failures.map((failure, index) => (
          <FailedCall
            key={index}
            failure={failure}
            model={failure.model === step.model_id ? null : failure.model}
          />
        ))}
        {step.text.text !== '' && (
          <div className="said">
            <Label c="dimmed">{t.wrote}</Label>
            <Multiline>
              {step.text.text}
              {step.text.is_cut && ' …'}
            </Multiline>
          </div>
        )}
        {calls.map((one) => (
          <ToolCall key={one.position} call={one} />
        ))}
        <Outcome kind={kind} to={next?.agent_name ?? null} isFailed={isFailed} />
      </Stack>
    </li>
  );
}

function Outcome(props: { kind: ModelStepDetail['kind']; to: string | null; isFailed: boolean }) {
  const { kind, to, isFailed } = props;
  if (kind === 'tools') return null;
  if (kind === 'failed') return isFailed ? <Hint>{t.gaveUp}</Hint> : null;
  return <Text size="sm">{kind === 'transfer' ? t.outcomes.transfer(to) : t.outcomes.answer}</Text>;
}

/** @param props.model the model that failed, if another one answered; otherwise null */
function FailedCall(props: { failure: ModelStepDetail['failures'][number]; model: string | null }) {
  const { model, failure } = props;
  const { ms, error, provider_message } = failure;
  return (
    <div className="failed-call">
      <Label size="sm">{t.failed(ms === null ? null : duration(ms))}</Label>
      {model !== null && <Hint size="xs">{model}</Hint>}
      <Multiline>{error}</Multiline>
      {provider_message !== null && (
        <Hint size="xs" className="plain-text">
          {t.provider}: {provider_message}
        </Hint>
      )}
    </div>
  );
}

function ToolCall({ call }: { call: ModelStepDetail['calls'][number] }) {
  const { name, does, arguments: given, result } = call;
  const plain = plainToolName(name);
  const subject = given.is_cut ? undefined : subjectOf(given.text);
  return (
    <Fold
      head={
        <>
          <span>
            <b>{plain}</b>
            {subject !== undefined && `: “${subject}”`}
          </span>
          <ToolBadge call={call} />
        </>
      }
      tookMs={tookMs(call)}
    >
      <Hint size="xs">
        {does !== null && `${does} `}
        <span className="mono">{name}</span>
      </Hint>
      <Label>{t.arguments}</Label>
      <ToolArguments json={given.text} label={`${plain}: ${t.arguments}`} />
      {given.is_cut && <Hint size="xs">{t.cutText}</Hint>}
      <Label>{t.result}</Label>
      {result === null ? (
        <Hint size="xs">{t.noResult}</Hint>
      ) : (
        <PlainText text={indented(result.text)} label={`${plain}: ${t.result}`} />
      )}
      {result?.is_cut === true && <Hint size="xs">{t.cutText}</Hint>}
    </Fold>
  );
}
