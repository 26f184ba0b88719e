/** Edits an agent's instructions beside a conversation that tries them, and saves them as the agent's draft. */
import { Badge, Button, Group, Stack, Textarea, type ButtonProps } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, type ReactNode } from 'react';
import type { AgentDraft as SavedDraft } from '../../../contract/conversations/agent-versions.ts';
import type { Agent } from '../../../contract/conversations/agents.ts';
import { call } from '../../client.ts';
import { useKeptPlace } from '../../components/kept.ts';
import { Problem } from '../../components/states.tsx';
import { Hint } from '../../components/text.tsx';
import { texts } from '../../messages.ts';
import { isVersionConflict } from './use-agent-form.ts';
import { changesAsBody } from './version-content.ts';

const t = texts.tryAgain;

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
function useTyped(name: string, newest: Version, start: string | undefined) {
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

type Instructions = ReturnType<typeof useInstructions>;

/**
 * Returns the typed instructions, and the mutation that saves them as the agent's draft, with the other changes of the
 * saved draft.
 * @param options.place identifies the text in this browser tab
 * @param options.start the initial text if none is stored; absent for the stored instructions
 * @param options.done called with the saved draft
 */
export function useInstructions(
  agent: Agent,
  saved: SavedDraft | null,
  options: { place: string; start?: string | undefined; done?: (draft: SavedDraft) => void },
) {
  const { place, start, done } = options;
  const queries = useQueryClient();
  const newest = versionOf(agent, saved);
  const { instructions, base, change, saved: drop } = useTyped(place, newest, start);
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
      done?.(draft);
    },
  });
  return { instructions, base, newest, change, save };
}

/** @param props.submit called on Ctrl+Enter */
export function InstructionsEditor(props: {
  agent: Agent;
  /** The version or draft whose instructions these are, shown beside the label. */
  mark?: string;
  description: string;
  of: Instructions;
  submit: () => void;
  children: ReactNode;
}) {
  const { agent, mark, description, of, submit, children } = props;
  const { instructions, base, newest, change, save } = of;
  return (
    <Stack gap="sm">
      <Textarea
        label={
          <>
            {t.instructions(agent.name)}
            {mark !== undefined && (
              <Badge ml={8} aria-hidden>
                {mark}
              </Badge>
            )}
          </>
        }
        aria-label={t.instructions(agent.name)}
        description={description}
        minRows={10}
        maxRows={26}
        value={instructions}
        onChange={(event) => change(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit();
        }}
      />
      <Problem of={save} />
      {base.instructions !== newest.instructions && (
        <Group gap="sm">
          <Hint>{t.changedSince}</Hint>
          <Button variant="default" size="xs" onClick={() => change(undefined)}>
            {t.useTheirs}
          </Button>
        </Group>
      )}
      {children}
    </Stack>
  );
}

/** The button that saves the typed instructions as the draft. */
export function SaveDraft({ of, ...button }: { of: Instructions } & Pick<ButtonProps, 'variant'>) {
  const { instructions, base, save } = of;
  return (
    <Button
      {...button}
      disabled={instructions === base.instructions}
      loading={save.isPending}
      onClick={() => save.mutate(instructions)}
    >
      {t.save}
    </Button>
  );
}
