/**
 * State of the agent form: the typed values, the version on which they are based, and a conflict if another user has
 * saved since.
 */
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { Agent } from '../../../contract/conversations/agents.ts';
import { ApiProblem, call } from '../../client.ts';
import { useKeptPlace } from '../../components/kept.ts';
import { useServerForm } from '../../components/use-server-form.ts';
import { texts } from '../../messages.ts';
import { useUnsaved } from '../../shell/unsaved.tsx';
import { changeOf, differences, draftOf, isDraft, moved, type AgentDraft } from './agent-draft.ts';

/** The version on which a draft is based. */
interface Version {
  draft: AgentDraft;
  /** The agent's `updated_at`. */
  at: string;
}

export type AgentForm = ReturnType<typeof useAgentForm>;

/** @param agent the agent as the server has it now, which may be newer than the form's version */
export function useAgentForm(agent: Agent) {
  const queries = useQueryClient();
  const place = useKeptPlace(`agent.${agent.id}`);
  const [kept] = useState(() => keptFrom(place.read(), draftOf(agent)));
  const [base, setBase] = useState<Version>(() => kept?.base ?? versionOf(agent));
  const newest = useRef(base);
  const [isConflictOpen, dialog] = useDisclosure(false);
  const [isRestored, setRestored] = useState(kept !== undefined);
  const startFrom = (version: Version) => {
    newest.current = version;
    setBase(version);
    setRestored(false);
  };

  const server = useServerForm({
    values: kept?.draft ?? base.draft,
    send: async (draft: AgentDraft) => {
      const { at, draft: from } = newest.current;
      try {
        const [body, headers] = [changeOf(from, draft), { 'If-Match': at }];
        return await call<Agent>('PATCH', `/agents/${agent.id}`, { body, headers });
      } catch (refused) {
        if (isVersionConflict(refused)) {
          await queries.refetchQueries({ queryKey: ['agents', agent.id] });
          dialog.open();
        }
        throw refused;
      }
    },
    sent: async (saved, draft) => {
      const version = versionOf(saved);
      startFrom(version);
      // Keeps what the user has typed while the values were being saved.
      form.setValues(moved({ from: draft, to: form.getValues() }, version.draft));
      queries.setQueryData(['agents', agent.id], saved);
      await queries.invalidateQueries({ queryKey: ['agents'], exact: true });
      notifications.show({ message: texts.common.saved });
    },
  });
  const { form, save } = server;

  const mine = differences(base.draft, form.values);
  const hasChanges = mine.length > 0;
  const theirs = agent.updated_at > base.at ? versionOf(agent) : undefined;
  const replaceBy = (version: Version, draft: AgentDraft) => {
    startFrom(version);
    form.setValues(draft);
    form.clearErrors();
  };

  useUnsaved(hasChanges, save);
  useEffect(
    () => place.write(hasChanges ? { base, draft: form.values } : undefined),
    [hasChanges, base, form.values],
  );
  useEffect(() => {
    if (theirs !== undefined && !hasChanges) replaceBy(theirs, theirs.draft);
  });

  return {
    ...server,
    hasChanges,
    isRestored,
    discard: () => {
      const version = theirs ?? base;
      replaceBy(version, version.draft);
      place.write(undefined);
    },
    /** Set if another user has saved a version on which this draft is not based. */
    conflict: theirs && {
      at: theirs.at,
      theirs: theirs.draft,
      changed: differences(base.draft, theirs.draft),
      both: differences(base.draft, theirs.draft).filter(
        (field) => mine.includes(field) && differences(form.values, theirs.draft).includes(field),
      ),
      isOpen: isConflictOpen,
      ...dialog,
      /** Applies this draft's changes to the other user's version and saves the result. */
      keepMine: async () => {
        dialog.close();
        replaceBy(theirs, moved({ from: base.draft, to: form.getValues() }, theirs.draft));
        await save();
      },
      useTheirs: () => {
        dialog.close();
        replaceBy(theirs, theirs.draft);
      },
    },
  };
}

export function isVersionConflict(error: unknown): boolean {
  return error instanceof ApiProblem && error.code === 'version_conflict';
}

function versionOf(agent: Agent): Version {
  return { draft: draftOf(agent), at: agent.updated_at };
}

function keptFrom(kept: unknown, like: AgentDraft): { base: Version; draft: AgentDraft } | undefined {
  if (typeof kept !== 'object' || kept === null || !('draft' in kept) || !('base' in kept)) return undefined;
  const { draft, base } = kept;
  if (typeof base !== 'object' || base === null || !('draft' in base) || !('at' in base)) return undefined;
  if (typeof base.at !== 'string' || !isDraft(draft, like) || !isDraft(base.draft, like)) return undefined;
  return { draft, base: { draft: base.draft, at: base.at } };
}
