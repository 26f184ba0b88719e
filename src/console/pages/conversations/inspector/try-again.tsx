/** Answers a run's messages again with changed instructions, in a test conversation. Sends nothing to the contact. */
import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { AgentDraft as SavedDraft } from '../../../../contract/conversations/agent-versions.ts';
import type { Agent } from '../../../../contract/conversations/agents.ts';
import type { RunDetail, StartedTrial } from '../../../../contract/conversations/run-detail.ts';
import { ApiProblem, call } from '../../../client.ts';
import { IconPlayerPlay } from '../../../components/icons.tsx';
import { useKeptText } from '../../../components/kept.ts';
import { useRead } from '../../../components/queries.ts';
import { Loaded, Problem } from '../../../components/states.tsx';
import { Hint, TextLink, When } from '../../../components/text.tsx';
import { texts } from '../../../messages.ts';
import { InstructionsEditor, SaveDraft, useInstructions } from '../instructions-editor.tsx';
import { useSavedDraft } from '../use-saved-draft.ts';
import { EntryPanel } from '../timeline/run-panel.tsx';
import { useTimeline } from '../timeline/use-timeline.ts';
import { InspectorPlace } from './inspector-place.tsx';

const t = texts.tryAgain;

function triedIn({ agents: [first] }: RunDetail): string | undefined {
  return first?.is_trial === true ? (first.instructions ?? undefined) : undefined;
}

export function TryAgain({ agent, runId }: { agent: Agent; runId: string }) {
  const query = useRead<RunDetail>(['run-tried', runId], `/runs/${runId}`);
  const draft = useSavedDraft(agent.id);
  const [trial, setTrial] = useKeptText(`trial.${runId}`);
  return (
    <Loaded query={query}>
      {(run) => (
        <div className="try-again">
          <Loaded query={draft}>
            {(saved) => (
              <Instructions
                agent={agent}
                saved={saved}
                runId={runId}
                tried={triedIn(run)}
                started={({ conversation_id }) => setTrial(conversation_id)}
              />
            )}
          </Loaded>
          <Stack gap="md">
            <Before run={run} />
            {trial === '' ? (
              <Hint>{t.notYet}</Hint>
            ) : (
              <Now key={trial} conversation={trial} forget={() => setTrial('')} />
            )}
          </Stack>
          <InspectorPlace />
        </div>
      )}
    </Loaded>
  );
}

function Instructions(props: {
  agent: Agent;
  /** The agent's draft, if any. The trial uses its other settings. Saving changes only the draft's instructions. */
  saved: SavedDraft | null;
  runId: string;
  /** If the run is itself a trial, the instructions that it tried. */
  tried: string | undefined;
  started: (trial: StartedTrial) => void;
}) {
  const { agent, saved, runId, tried, started } = props;
  const editing = useInstructions(agent, saved, { place: `try.${runId}`, start: tried });
  const { instructions } = editing;
  const attempt = useMutation({
    mutationFn: () =>
      call<StartedTrial>('POST', `/runs/${runId}/try`, { body: { instructions, draft: saved !== null } }),
    onSuccess: started,
  });
  return (
    <form
      className="panel try-instructions"
      onSubmit={(event) => {
        event.preventDefault();
        attempt.mutate();
      }}
    >
      <InstructionsEditor
        agent={agent}
        description={t.help}
        of={editing}
        submit={() => {
          if (!attempt.isPending) attempt.mutate();
        }}
      >
        <Problem of={attempt} />
        <Group gap="sm">
          <Button type="submit" leftSection={<IconPlayerPlay />} loading={attempt.isPending}>
            {t.run}
          </Button>
          <SaveDraft of={editing} variant="default" />
          {saved !== null && <TextLink to={`/agents/${agent.id}`}>{texts.versions.openDraft}</TextLink>}
        </Group>
      </InstructionsEditor>
    </form>
  );
}

function Before({ run: { conversation_id, inputs, input_count, answers, state } }: { run: RunDetail }) {
  return (
    <section className="inspector-talk" aria-label={t.before}>
      {input_count > inputs.length && <Hint>{t.onlyNewest(inputs.length, input_count)}</Hint>}
      {inputs.map(({ id, at, text, files }) => (
        <div key={id}>
          <Hint size="xs">
            {texts.inspector.asked} · <When at={at} />
          </Hint>
          <Text className="plain-text">{text}</Text>
          {files.length > 0 && <Hint size="xs">{t.noFiles(files.join(', '))}</Hint>}
        </div>
      ))}
      {answers.map(({ id, agent_name, text }) => (
        <div key={id}>
          <Hint size="xs">
            {t.before} · {agent_name}
          </Hint>
          <Text className="plain-text">{text}</Text>
        </div>
      ))}
      {answers.length === 0 && <Hint>{texts.inspector.noAnswer[state]}</Hint>}
      <TextLink to={`/conversations/${conversation_id}`}>{t.openConversation}</TextLink>
    </section>
  );
}

/** Shows the trial's conversation. @param props.forget called if the conversation was deleted */
function Now({ conversation, forget }: { conversation: string; forget: () => void }) {
  const timeline = useTimeline(conversation);
  const { error } = timeline;
  const isDeleted = error instanceof ApiProblem && error.code === 'not_found';
  useEffect(() => {
    if (isDeleted) forget();
  }, [isDeleted]);
  return (
    <section aria-label={t.now} aria-live="polite">
      <Stack gap="xs">
        <Hint size="xs">{t.now}</Hint>
        <Loaded query={timeline}>
          {({ entries }) => entries.map((entry) => <EntryPanel key={entry.id} entry={entry} />)}
        </Loaded>
      </Stack>
    </section>
  );
}
