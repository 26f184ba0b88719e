/** Answers a run's messages again with changed instructions, in a test conversation. Sends nothing to the contact. */
import { Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { AgentDraft as SavedDraft } from '../../../../contract/conversations/agent-versions.ts';
import type { Agent } from '../../../../contract/conversations/agents.ts';
import type { RunDetail, StartedTrial } from '../../../../contract/conversations/run-detail.ts';
import { ApiProblem, call } from '../../../client.ts';
import { IconPlayerPlay } from '../../../components/icons.tsx';
import { useKeptPlace, useKeptText } from '../../../components/kept.ts';
import { useRead } from '../../../components/queries.ts';
import { Loaded, Problem } from '../../../components/states.tsx';
import { Hint, TextLink, When } from '../../../components/text.tsx';
import { texts } from '../../../messages.ts';
import { useSavedDraft } from '../use-saved-draft.ts';
import { changesAsBody } from '../version-content.ts';
import { EntryPanel } from '../timeline/run-panel.tsx';
import { useTimeline } from '../timeline/use-timeline.ts';
import { isVersionConflict } from '../use-agent-form.ts';
import { InspectorPlace } from './inspector-place.tsx';

const t = texts.tryAgain;

function triedIn({ agents: [first] }: RunDetail): string | undefined {
  return first?.is_trial === true ? (first.instructions ?? undefined) : undefined;
}

/** The agent's instructions as the server has stored them: those of the draft or, without a draft, of the agent. */
interface Version {
  instructions: string;
  /** `updated_at` of the draft or, without a draft, of the agent. */
  at: string;
}

interface Draft {
  text: string;
  base: Version;
}

/**
 * Stores the typed instructions in this browser tab, with the version on which they are based. While there are none,
 * returns the instructions of `newest`.
 * @param start the initial text if none is stored; undefined for the instructions of `newest`
 */
function useDraft(name: string, newest: Version, start: string | undefined) {
  const place = useKeptPlace(name);
  const [draft, setDraft] = useState(() => draftFrom(place.read()) ?? startingFrom(start, newest));
  // If only other settings of the agent have changed since, the typed text counts as based on the newest version.
  const base = draft === undefined || draft.base.instructions === newest.instructions ? newest : draft.base;
  useEffect(() => place.write(draft), [draft]);
  return {
    instructions: draft?.text ?? newest.instructions,
    base,
    /** @param text undefined discards the typed text */
    change: (text: string | undefined) =>
      setDraft(text === undefined || text === base.instructions ? undefined : { text, base }),
    /** Must be called after saving. Text that the user has typed since then stays, based on the saved version. */
    saved: (version: Version) =>
      setDraft((now) =>
        now === undefined || now.text === version.instructions
          ? undefined
          : { text: now.text, base: version },
      ),
  };
}

const versionOf = (agent: Agent, saved: SavedDraft | null): Version => ({
  instructions: (saved?.content ?? agent).instructions,
  at: (saved ?? agent).updated_at,
});

function startingFrom(text: string | undefined, base: Version): Draft | undefined {
  return text === undefined || text === base.instructions ? undefined : { text, base };
}

function draftFrom(kept: unknown): Draft | undefined {
  if (typeof kept !== 'object' || kept === null || !('text' in kept) || !('base' in kept)) return undefined;
  const { text, base } = kept;
  if (typeof text !== 'string' || typeof base !== 'object' || base === null) return undefined;
  if (!('instructions' in base) || typeof base.instructions !== 'string') return undefined;
  if (!('at' in base) || typeof base.at !== 'string') return undefined;
  return { text, base: { instructions: base.instructions, at: base.at } };
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
  const queries = useQueryClient();
  const newest = versionOf(agent, saved);
  const { instructions, base, change, saved: drop } = useDraft(`try.${runId}`, newest, tried);
  const attempt = useMutation({
    mutationFn: () =>
      call<StartedTrial>('POST', `/runs/${runId}/try`, { body: { instructions, draft: saved !== null } }),
    onSuccess: started,
  });
  const save = useMutation({
    mutationFn: (sent: string) =>
      call<SavedDraft>('PUT', `/agents/${agent.id}/draft`, {
        body: {
          ...(saved !== null && changesAsBody(agent, saved.content)),
          instructions: sent,
          base_version: agent.version,
        },
        headers: { 'If-Match': base.at },
      }),
    onError: async (refused) => {
      if (isVersionConflict(refused)) await queries.refetchQueries({ queryKey: ['agents', agent.id] });
    },
    onSuccess: (draft) => {
      drop(versionOf(agent, draft));
      queries.setQueryData(['agents', agent.id, 'draft'], { draft });
      notifications.show({ message: texts.versions.draft.saved });
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
          minRows={10}
          maxRows={26}
          value={instructions}
          onChange={(event) => change(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !attempt.isPending)
              attempt.mutate();
          }}
        />
        <Problem of={attempt} />
        <Problem of={save} />
        {base.instructions !== newest.instructions && (
          <Group gap="sm">
            <Hint>{t.changedSince}</Hint>
            <Button variant="default" size="xs" onClick={() => change(undefined)}>
              {t.useTheirs}
            </Button>
          </Group>
        )}
        <Group gap="sm">
          <Button type="submit" leftSection={<IconPlayerPlay />} loading={attempt.isPending}>
            {t.run}
          </Button>
          <Button
            variant="default"
            disabled={instructions === base.instructions}
            loading={save.isPending}
            onClick={() => save.mutate(instructions)}
          >
            {t.save}
          </Button>
          {saved !== null && <TextLink to={`/agents/${agent.id}`}>{texts.versions.openDraft}</TextLink>}
        </Group>
      </Stack>
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
