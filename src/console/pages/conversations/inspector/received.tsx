/** Shows the model's input in a run: the agents' instructions at that time, earlier and new messages, and tools. */
import { Badge, Button, Group, Text } from '@mantine/core';
import type { RunDetail, RunHistory } from '../../../../contract/conversations/run-detail.ts';
import { usePages } from '../../../components/queries.ts';
import { Failure } from '../../../components/states.tsx';
import { Fold, Hint, Label, Multiline, PlainText, TextLink, When } from '../../../components/text.tsx';
import { texts } from '../../../messages.ts';
import { plainToolName } from '../../../components/plain-tool.ts';

const t = texts.inspector;

export function Received({ run, historyTurns }: { run: RunDetail; historyTurns: number | null }) {
  const { agents, follow_up_instructions, inputs, input_count, id } = run;
  return (
    <section className="inspector-part" aria-label={t.received}>
      <h3>{t.received}</h3>
      <div className="folds">
        {agents.map((agent) => (
          <Instructions key={`${agent.agent_id} ${String(agent.version)}`} agent={agent} />
        ))}
        {follow_up_instructions !== null && (
          <Fold head={t.followUp}>
            <PlainText text={follow_up_instructions} label={t.followUp} />
          </Fold>
        )}
        {historyTurns === 0 ? (
          <div className="fold-line">{t.noEarlier}</div>
        ) : (
          <Fold head={historyTurns === null ? t.earlierUnknown : t.earlier(historyTurns)}>
            <History runId={id} historyTurns={historyTurns} />
          </Fold>
        )}
        {inputs.length > 0 && (
          <Fold head={t.newMessages(input_count)}>
            {input_count > inputs.length && <Hint size="xs">{t.moreAsked(input_count)}</Hint>}
            {inputs.map((input) => (
              <Said key={input.id} who={texts.timeline.you} {...input} />
            ))}
          </Fold>
        )}
        {agents.map(({ agent_id, version, name, tools, transfers_to }) => (
          <Abilities
            key={`${agent_id} ${String(version)}`}
            {...{ tools, transfers_to }}
            name={agents.length > 1 ? name : undefined}
          />
        ))}
      </div>
    </section>
  );
}

function Instructions({ agent }: { agent: RunDetail['agents'][number] }) {
  const { agent_id, name, version, is_current, is_deleted, is_draft, is_trial, instructions } = agent;
  return (
    <Fold
      head={
        <>
          {t.instructions(name)}
          {is_trial ? (
            <Badge color="indigo">{t.trial}</Badge>
          ) : is_draft ? (
            <Badge color="indigo">{texts.versions.draft.mark}</Badge>
          ) : version === null ? (
            <Badge color="gray">{t.notRecorded}</Badge>
          ) : (
            <Badge color={is_current ? 'gray' : 'yellow'}>{is_current ? t.asNow : t.changedSince}</Badge>
          )}
          {version !== null && <Hint span>{texts.versions.versionInText(version)}</Hint>}
          {is_deleted && <Badge color="gray">{t.deletedAgent}</Badge>}
        </>
      }
    >
      {version === null && !is_trial && !is_draft && <Hint size="xs">{t.notRecordedHelp}</Hint>}
      {instructions === null ? (
        <Hint>{t.noLongerKept}</Hint>
      ) : instructions === '' ? (
        <Hint>{t.noInstructions}</Hint>
      ) : (
        <PlainText text={instructions} label={t.instructions(name)} mah={420} />
      )}
      {!is_deleted && (
        <Group gap="md">
          <TextLink to={`/agents/${agent_id}`}>{t.openAgent}</TextLink>
          {version !== null && instructions !== null && (
            <TextLink to={`/agents/${agent_id}/versions?version=${String(version)}`}>
              {t.openVersion(version)}
            </TextLink>
          )}
        </Group>
      )}
    </Fold>
  );
}

function Abilities(props: { name: string | undefined; tools: string[]; transfers_to: string[] }) {
  const { name, tools, transfers_to } = props;
  if (tools.length === 0 && transfers_to.length === 0)
    return name === undefined ? <div className="fold-line">{t.noTools}</div> : null;
  return (
    <Fold
      head={`${tools.length === 0 ? t.transfersOffered : t.toolsOffered(tools.length)}${name === undefined ? '' : ` · ${name}`}`}
    >
      {tools.length > 0 && (
        <>
          <Group gap={6}>
            {tools.map((tool) => (
              <Badge key={tool} color="gray" title={tool}>
                {plainToolName(tool)}
              </Badge>
            ))}
          </Group>
          <Hint size="xs">{t.toolsHelp}</Hint>
        </>
      )}
      {transfers_to.length > 0 && (
        <Text size="sm">
          {t.mayTransfer}: {transfers_to.join(', ')}
        </Text>
      )}
    </Fold>
  );
}

/**
 * Lists the earlier messages that the model received in the run's first call.
 * @param props.historyTurns part of the query's key. It changes when the first model call succeeds, so that the list is
 * then read again.
 */
function History({ runId, historyTurns }: { runId: string; historyTurns: number | null }) {
  const { data, hasNextPage, isFetching, fetchNextPage, isError, error } = usePages<RunHistory>(
    ['run-history', runId, historyTurns],
    `/runs/${runId}/history`,
    { staleTime: Infinity },
  );
  if (isError) return <Failure error={error} retry={() => void fetchNextPage()} />;
  const turns = (data?.pages ?? []).flatMap((page) => page.data).toReversed();
  if (data !== undefined && turns.length === 0) return <Hint>{t.noEarlier}</Hint>;
  return (
    <>
      {(hasNextPage || data === undefined) && (
        <Button
          size="xs"
          variant="default"
          w="fit-content"
          loading={isFetching}
          onClick={() => void fetchNextPage()}
        >
          {t.older}
        </Button>
      )}
      {turns.map((turn) => (
        <Said
          key={turn.id}
          {...turn}
          who={turn.origin === 'user' ? texts.timeline.you : (turn.agent_name ?? texts.timeline.person)}
        />
      ))}
    </>
  );
}

/** One message that the model received. A text that the API has cut ends with an ellipsis. */
function Said(props: { who: string; text: string; at: string; is_cut: boolean; files?: string[] }) {
  const { who, text, at, is_cut, files = [] } = props;
  return (
    <div className="said">
      <Label c="dimmed">
        {who} · <When at={at} />
      </Label>
      <Multiline>
        {text}
        {is_cut && ' …'}
      </Multiline>
      {files.length > 0 && (
        <Hint size="xs">
          {texts.timeline.attachment}: {files.join(', ')}
        </Hint>
      )}
    </div>
  );
}
