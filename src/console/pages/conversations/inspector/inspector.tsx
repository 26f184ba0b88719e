/** Shows how a run produced its answer, in a drawer over the page. */
import { Button, Drawer, Group, Stack, Text } from '@mantine/core';
import { Link, useLocation } from 'wouter';
import type { ModelStepDetail, RunDetail } from '../../../../contract/conversations/run-detail.ts';
import { Copy } from '../../../components/copy.tsx';
import { StatusBadge } from '../../../components/delivery-detail.tsx';
import { amount, duration } from '../../../components/format.ts';
import { usePages } from '../../../components/queries.ts';
import { Loaded } from '../../../components/states.tsx';
import { Facts, Hint, TextLink, When, type Fact } from '../../../components/text.tsx';
import { texts } from '../../../messages.ts';
import { useCan } from '../../../shell/session.ts';
import { isDelivering, isUnfinished } from '../timeline/timeline-polls.ts';
import { ModelSteps } from './model-steps.tsx';
import { Received } from './received.tsx';
import { TimeBar } from './time-bar.tsx';
import { useInspector } from './use-inspector.ts';

const t = texts.inspector;
const pollMs = 1500;

/** The inspector, a drawer that is open while the page's URL contains the id of a run. */
export function Inspector() {
  const { runId, without } = useInspector();
  const [, navigate] = useLocation();
  return (
    <Drawer
      opened={runId !== undefined}
      onClose={() => navigate(without)}
      size="min(680px, 100vw)"
      title={t.title}
    >
      {runId !== undefined && <Opened key={runId} id={runId} />}
    </Drawer>
  );
}

function Opened({ id }: { id: string }) {
  const query = usePages<RunDetail>(['run', id], `/runs/${id}`, {
    refetchInterval: ({ state: { data } }) => {
      const run = data?.pages[0];
      return run !== undefined && (isUnfinished(run) || run.deliveries.some(isDelivering)) ? pollMs : false;
    },
  });
  const more = query.hasNextPage ? () => void query.fetchNextPage() : undefined;
  return (
    <Loaded query={query}>
      {({ pages }) => {
        const [run] = pages;
        if (run === undefined) return null;
        const steps = joinedSteps(pages.flatMap((page) => page.steps));
        return (
          <Stack gap="lg" className="inspector">
            <Talk run={run} />
            <TimeBar run={run} />
            <Received run={run} historyTurns={steps[0]?.history_turns ?? null} />
            <ModelSteps run={run} steps={steps} more={more} isLoading={query.isFetchingNextPage} />
            <Used run={run} />
            <Deliveries run={run} />
            <Group gap="sm">
              <TryButton run={run} />
              <Copy text={window.location.href} label={t.copyLink} />
            </Group>
          </Stack>
        );
      }}
    </Loaded>
  );
}

/** Joins the parts of each step whose tool calls are on several pages of the API's response. */
function joinedSteps(parts: readonly ModelStepDetail[]): ModelStepDetail[] {
  const joined = new Map<number, ModelStepDetail>();
  for (const part of parts) {
    const before = joined.get(part.step);
    joined.set(
      part.step,
      before === undefined ? part : { ...before, calls: [...before.calls, ...part.calls] },
    );
  }
  return [...joined.values()];
}

/** The newest message that the run answers, and the run's answers and error. */
function Talk({ run: { inputs, input_count, answers, state, error } }: { run: RunDetail }) {
  const asked = inputs.at(-1);
  return (
    <div className="inspector-talk">
      {asked !== undefined && (
        <div>
          <Hint size="xs">
            {input_count > 1 ? t.moreAsked(input_count) : t.asked} · <When at={asked.at} />
          </Hint>
          <Text className="plain-text" lineClamp={4}>
            {asked.text}
          </Text>
        </div>
      )}
      {answers.map(({ id, agent_name, at, text, is_cut }) => (
        <div key={id}>
          <Hint size="xs">
            {agent_name} · <When at={at} />
          </Hint>
          <Text className="plain-text" lineClamp={8}>
            {text}
            {is_cut && ' …'}
          </Text>
        </div>
      ))}
      {answers.length === 0 && <Hint>{t.noAnswer[state]}</Hint>}
      {error !== null && (
        <Text size="sm" className="plain-text failed-call">
          {error}
        </Text>
      )}
    </div>
  );
}

/**
 * A button that opens the page where the user tries changed instructions on the run's messages. Renders nothing if the
 * user may not manage agents, if the run's first agent is unknown or deleted, or if no message has text, for example in
 * a follow-up.
 */
function TryButton({ run: { id, agents, inputs } }: { run: RunDetail }) {
  const can = useCan();
  const [agent] = agents;
  if (
    agent === undefined ||
    agent.is_deleted ||
    inputs.every(({ text }) => text === '') ||
    !can('agents.manage')
  )
    return null;
  return (
    <Button component={Link} href={`/agents/${agent.agent_id}/playground?try=${id}`} size="xs">
      {t.tryAgain}
    </Button>
  );
}

function Used({ run }: { run: RunDetail }) {
  const { model_calls, failed_model_calls, tool_calls, input_tokens, output_tokens, credits } = run;
  const facts: Fact[] = [
    [
      t.modelCalls,
      `${amount(model_calls)}${failed_model_calls === 0 ? '' : `, ${t.failedCalls(failed_model_calls)}`}`,
    ],
    [t.toolCalls, amount(tool_calls)],
    [t.tokens, t.tokensOf(amount(input_tokens), amount(output_tokens))],
    [t.cost, credits === 0 ? t.free : t.credits(amount(credits))],
  ];
  return (
    <section className="inspector-part inspector-used" aria-label={t.used}>
      <h3>{t.used}</h3>
      <Facts facts={facts} />
    </section>
  );
}

function Deliveries({ run: { deliveries, is_test, state } }: { run: RunDetail }) {
  const can = useCan();
  if (deliveries.length === 0 && state !== 'answered' && state !== 'failed') return null;
  return (
    <section className="inspector-part" aria-label={t.delivery}>
      <h3>{t.delivery}</h3>
      {deliveries.length === 0 && <Hint>{is_test ? t.noDeliveryTest : t.noDelivery}</Hint>}
      <Stack gap={6}>
        {deliveries.map(({ id, kind, status, host, error, ms }) => (
          <div key={id}>
            <Group gap={8}>
              <Text span size="sm">
                {t.kinds[kind]}
                {host !== null && ` · ${host}`}
              </Text>
              <StatusBadge status={status} />
              {ms !== null && <Hint size="xs">{duration(ms)}</Hint>}
              {can('deliveries.view') && <TextLink to={`/deliveries/${id}`}>{t.openDelivery}</TextLink>}
            </Group>
            {error !== null && <Hint size="xs">{error}</Hint>}
          </div>
        ))}
      </Stack>
    </section>
  );
}
