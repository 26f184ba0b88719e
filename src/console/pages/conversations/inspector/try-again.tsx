/** Answers a run's messages again with changed instructions, in a test that sends nothing. */
import { Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Agent } from '../../../../contract/conversations/agents.ts';
import type { RunDetail, StartedTrial } from '../../../../contract/conversations/run-detail.ts';
import { call } from '../../../client.ts';
import { IconPlayerPlay } from '../../../components/icons.tsx';
import { useKeptPlace } from '../../../components/kept.ts';
import { Loaded, Loading, Problem } from '../../../components/states.tsx';
import { Hint, TextLink, When } from '../../../components/text.tsx';
import { texts } from '../../../messages.ts';
import { EntryPanel } from '../timeline/run-panel.tsx';
import { useTimeline } from '../timeline/use-timeline.ts';
import { InspectorPlace } from './inspector-place.tsx';

const t = texts.tryAgain;

/** A text of this tab that survives a reload. @param standard the text while none is stored */
function useKept(name: string, standard: string): [text: string, change: (text: string) => void] {
  const place = useKeptPlace(name);
  const [text, setText] = useState(() => {
    const kept = place.read();
    return typeof kept === 'string' ? kept : standard;
  });
  const change = (typed: string) => {
    setText(typed);
    place.write(typed === standard ? undefined : typed);
  };
  return [text, change];
}

export function TryAgain({ agent, runId }: { agent: Agent; runId: string }) {
  const query = useQuery({
    queryKey: ['run-tried', runId],
    queryFn: ({ signal }) => call<RunDetail>('GET', `/runs/${runId}`, { signal }),
  });
  const [trial, setTrial] = useKept(`trial.${runId}`, '');
  return (
    <Loaded query={query}>
      {(run) => (
        <div className="try-again">
          <Instructions
            agent={agent}
            runId={runId}
            started={({ conversation_id }) => setTrial(conversation_id)}
          />
          <Stack gap="md">
            <Before run={run} />
            {trial === '' ? <Hint>{t.notYet}</Hint> : <Now key={trial} conversation={trial} />}
          </Stack>
          <InspectorPlace />
        </div>
      )}
    </Loaded>
  );
}

function Instructions(props: { agent: Agent; runId: string; started: (trial: StartedTrial) => void }) {
  const { agent, runId, started } = props;
  const queries = useQueryClient();
  const [instructions, setInstructions] = useKept(`try.${runId}`, agent.instructions);
  const attempt = useMutation({
    mutationFn: () => call<StartedTrial>('POST', `/runs/${runId}/try`, { body: { instructions } }),
    onSuccess: started,
  });
  const save = useMutation({
    mutationFn: () =>
      call<Agent>('PATCH', `/agents/${agent.id}`, {
        body: { instructions },
        headers: { 'If-Match': agent.updated_at },
      }),
    onSuccess: async (saved) => {
      queries.setQueryData(['agents', agent.id], saved);
      await queries.invalidateQueries({ queryKey: ['agents'], exact: true });
      notifications.show({ message: texts.common.saved });
    },
  });
  return (
    <form
      className="panel try-instructions"
      onSubmit={(event) => {
        event.preventDefault();
        attempt.mutate();
      }}
    >
      <Stack gap="sm">
        <Textarea
          label={t.instructions(agent.name)}
          description={t.help}
          autosize
          minRows={10}
          maxRows={26}
          value={instructions}
          onChange={(event) => setInstructions(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) attempt.mutate();
          }}
        />
        <Problem of={attempt} />
        <Problem of={save} />
        <Group gap="sm">
          <Button type="submit" leftSection={<IconPlayerPlay />} loading={attempt.isPending}>
            {t.run}
          </Button>
          <Button
            variant="default"
            disabled={instructions === agent.instructions}
            loading={save.isPending}
            onClick={() => save.mutate()}
          >
            {t.save}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function Before({ run: { conversation_id, inputs, answers, state } }: { run: RunDetail }) {
  return (
    <section className="inspector-talk" aria-label={t.before}>
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

function Now({ conversation }: { conversation: string }) {
  const { data } = useTimeline(conversation);
  return (
    <section aria-label={t.now} aria-live="polite">
      <Stack gap="xs">
        <Hint size="xs">{t.now}</Hint>
        {data === undefined ? (
          <Loading />
        ) : (
          data.entries.map((entry) => <EntryPanel key={entry.id} entry={entry} />)
        )}
      </Stack>
    </section>
  );
}
