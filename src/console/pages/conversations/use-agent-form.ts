/**
 * The state of the agent form: the typed values, the server's state on which they are based, and a conflict if another
 * user has saved since. The form shows the saved draft or, if the agent has none, the published version.
 */
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState, type SyntheticEvent } from 'react';
import type {
  AgentContent,
  AgentVersionDetail,
  AgentDraft as SavedDraft,
} from '../../../contract/conversations/agent-versions.ts';
import type { Agent } from '../../../contract/conversations/agents.ts';
import { ApiProblem, call } from '../../client.ts';
import { useKeptPlace } from '../../components/kept.ts';
import { useServerForm } from '../../components/use-server-form.ts';
import { texts } from '../../messages.ts';
import { useUnsaved } from '../../shell/unsaved.tsx';
import { changeOf, differences, draftOf, isDraft, moved, type AgentDraft } from './agent-draft.ts';
import { publishDraft, putDraft } from './draft-calls.ts';
import { changesBetween, contentOf, isVersioned, withContent } from './version-content.ts';

/**
 * A state of the agent and its draft on the server. The form is based on one (`base`): the newest while the form has no
 * changes, and the saved state after a save.
 */
interface Version {
  draft: AgentDraft;
  /** The agent's `updated_at`. */
  at: string;
  /** The saved draft's `updated_at`; null if there is none. */
  savedAt: string | null;
}

/** The agent and its draft as they were last read or saved. */
interface Stored {
  agent: Agent;
  saved: SavedDraft | null;
}

export type AgentForm = ReturnType<typeof useAgentForm>;

/**
 * Returns the state and actions of the form. Unsaved changes are stored in this browser tab and restored.
 * @param agent the agent as last read; it may be newer than the one on which the form is based
 * @param saved the agent's draft as last read; null if there is none
 */
export function useAgentForm(agent: Agent, saved: SavedDraft | null) {
  const queries = useQueryClient();
  const place = useKeptPlace(`agent.${agent.id}`);
  const [kept] = useState(() => keptFrom(place.read(), draftOf(agent)));
  const [base, setBase] = useState<Version>(() => kept?.base ?? versionOf({ agent, saved }));
  const newest = useRef(base);
  const [known, setKnown] = useState<Stored>({ agent, saved });
  const stored = useRef(known);
  const know = (now: Stored) => {
    stored.current = now;
    setKnown(now);
  };
  useEffect(() => know({ agent, saved }), [agent, saved]);
  /** True if the next save stores changed versioned fields as a draft, even if the agent has no draft yet. */
  const savesDraft = useRef(false);
  const [isConflictOpen, dialog] = useDisclosure(false);
  const [isRestored, setRestored] = useState(kept !== undefined);
  const startFrom = (version: Version) => {
    newest.current = version;
    setBase(version);
    setRestored(false);
  };
  const path = `/agents/${agent.id}`;

  /**
   * Runs `change`, unless another user has changed the draft. If another user has, or if the server reports a version
   * conflict, reads the agent again and opens the dialog with the other user's changes.
   * @throws ApiProblem `version_conflict` in both cases; otherwise the error of `change`
   */
  const unlessChanged = async <T>(change: () => Promise<T>): Promise<T> => {
    try {
      const savedAt = stored.current.saved?.updated_at ?? null;
      if (savedAt !== newest.current.savedAt) throw changedByOthers();
      return await change();
    } catch (refused) {
      if (isVersionConflict(refused)) {
        await queries.refetchQueries({ queryKey: ['agents', agent.id] });
        dialog.open();
      }
      throw refused;
    }
  };

  /** Bases the form on the server's new state. The form keeps changes that the user has made since `sent` was sent. */
  const continueFrom = async (now: Stored, sent: AgentDraft) => {
    await queries.cancelQueries({ queryKey: ['agents', agent.id] });
    know(now);
    const version = versionOf(now);
    startFrom(version);
    form.setValues(moved({ from: sent, to: form.getValues() }, version.draft));
    queries.setQueryData(['agents', agent.id], now.agent);
    queries.setQueryData(['agents', agent.id, 'draft'], { draft: now.saved });
    await queries.invalidateQueries({ queryKey: ['agents'], exact: true });
    await queries.invalidateQueries({ queryKey: ['agents', agent.id, 'versions'] });
  };

  const patch = async (body: Record<string, unknown>) =>
    await call<Agent>('PATCH', path, { body, headers: { 'If-Match': newest.current.at } });

  /**
   * Applies the form's changes to the content of the draft or, if there is none, of the published version. Saves
   * nothing.
   * @returns the resulting content
   * @throws Error if the script is not valid YAML
   */
  const contentIn = (values: AgentDraft): AgentContent => {
    const { agent: published, saved: before } = stored.current;
    const typed = Object.entries(changeOf(newest.current.draft, values));
    return {
      ...(before?.content ?? contentOf(published)),
      ...Object.fromEntries(typed.filter(([field]) => isVersioned(field))),
    };
  };

  /**
   * Saves the form's content as the draft. Changed settings that versions do not contain are first saved in the agent
   * itself, where they apply at once.
   */
  const saveAsDraft = async (values: AgentDraft): Promise<Stored> => {
    const content = contentIn(values);
    const settings = Object.entries(changeOf(newest.current.draft, values)).filter(
      ([field]) => !isVersioned(field),
    );
    if (settings.length > 0) {
      const changed = await patch(Object.fromEntries(settings));
      know({ ...stored.current, agent: changed });
      const before = Object.entries(newest.current.draft).filter(([field]) => isVersioned(field));
      startFrom({
        ...newest.current,
        draft: { ...values, ...Object.fromEntries(before) },
        at: changed.updated_at,
      });
    }
    const { agent: published } = stored.current;
    const draft = await putDraft(published, content, newest.current.savedAt ?? published.updated_at);
    return { agent: published, saved: draft };
  };

  const server = useServerForm({
    values: kept?.draft ?? base.draft,
    send: async (draft: AgentDraft): Promise<Stored> =>
      await unlessChanged(async () => {
        const change = changeOf(newest.current.draft, draft);
        const becomesDraft = savesDraft.current || stored.current.saved !== null;
        if (becomesDraft && Object.keys(change).some(isVersioned)) return await saveAsDraft(draft);
        return { agent: await patch(change), saved: stored.current.saved };
      }),
    sent: async (now, draft) => {
      const before = stored.current.saved?.updated_at;
      await continueFrom(now, draft);
      const isDraftSaved = now.saved?.updated_at !== before;
      notifications.show({ message: isDraftSaved ? texts.versions.draft.saved : texts.common.saved });
    },
  });
  const { form, save } = server;

  const mine = differences(base.draft, form.values);
  const hasChanges = mine.length > 0;
  const knownSavedAt = known.saved?.updated_at ?? null;
  const isChanged = known.agent.updated_at > base.at || knownSavedAt !== base.savedAt;
  const theirs = isChanged ? versionOf(known) : undefined;
  const replaceBy = (version: Version, draft: AgentDraft) => {
    startFrom(version);
    form.setValues(draft);
    form.clearErrors();
  };
  const saveAs = (isDraftWanted: boolean) => {
    savesDraft.current = isDraftWanted;
    return save();
  };

  useUnsaved(hasChanges, () => saveAs(false));
  useEffect(
    () => place.write(hasChanges ? { base, draft: form.values } : undefined),
    [hasChanges, base, form.values],
  );
  useEffect(() => {
    if (theirs === undefined) return;
    if (!hasChanges) replaceBy(theirs, theirs.draft);
    // Only settings outside the form have changed, for example whether the agent is active.
    else if (differences(base.draft, theirs.draft).length === 0) startFrom(theirs);
  });

  return {
    ...server,
    submit: (event: SyntheticEvent<HTMLFormElement>) => {
      savesDraft.current = false;
      server.submit(event);
    },
    saveDraft: () => {
      savesDraft.current = true;
      server.submit();
    },
    hasChanges,
    /** True if the user has changed fields that belong to a version. */
    hasNewContent: mine.some(isVersioned),
    isRestored,
    discard: () => {
      const version = theirs ?? base;
      replaceBy(version, version.draft);
      place.write(undefined);
    },
    /**
     * @returns the versioned fields that differ between the published version and the form
     * @throws Error if the script is not valid YAML
     */
    changes: () => changesBetween(contentOf(stored.current.agent), contentIn(form.getValues())),
    /**
     * Saves the form as the draft unless the draft is up to date, then publishes the draft.
     * @param percent share of new conversations that get the version; 100 for all conversations
     * @returns the new version
     * @throws ApiProblem if a request fails, with the code `version_conflict` if another user has changed the agent or
     * its draft; Error if the script is not valid YAML
     */
    publish: async (note: string, percent: number): Promise<AgentVersionDetail> => {
      savesDraft.current = true;
      return await unlessChanged(async () => {
        const values = form.getValues();
        const { agent: published, saved: before } = stored.current;
        const isSaved =
          before?.base_version === published.version &&
          differences(newest.current.draft, values).length === 0;
        if (!isSaved) await continueFrom(await saveAsDraft(values), values);
        const version = await publishDraft(agent.id, note, percent, newest.current.savedAt ?? '');
        await continueFrom({ agent: await call<Agent>('GET', path), saved: null }, values);
        return version;
      });
    },
    discardDraft: async (): Promise<void> => {
      await unlessChanged(async () => {
        await call('DELETE', `${path}/draft`, { headers: { 'If-Match': newest.current.savedAt ?? '' } });
        const now = { agent: stored.current.agent, saved: null };
        await continueFrom(now, form.getValues());
      });
    },
    /** Undefined unless another user has changed the agent or its draft since the state on which the form is based. */
    conflict: theirs && {
      /**
       * The other user's action. `agent`: changed the agent, but not its draft. `draft`: saved a draft. `draftGone`:
       * published or discarded the draft.
       */
      kind:
        theirs.savedAt === base.savedAt
          ? ('agent' as const)
          : theirs.savedAt === null
            ? ('draftGone' as const)
            : ('draft' as const),
      at: theirs.savedAt !== null && theirs.savedAt !== base.savedAt ? theirs.savedAt : theirs.at,
      author: known.saved?.author ?? '',
      theirs: theirs.draft,
      changed: differences(base.draft, theirs.draft),
      both: differences(base.draft, theirs.draft).filter(
        (field) => mine.includes(field) && differences(form.values, theirs.draft).includes(field),
      ),
      isOpen: isConflictOpen,
      ...dialog,
      /** Applies the form's changes to the other user's version, and saves the result. */
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

const changedByOthers = () => new ApiProblem(409, 'version_conflict', texts.versions.draft.changedByOthers);

function versionOf({ agent, saved }: Stored): Version {
  const shown = saved === null ? agent : withContent(agent, saved.content);
  return { draft: draftOf(shown), at: agent.updated_at, savedAt: saved?.updated_at ?? null };
}

function keptFrom(kept: unknown, like: AgentDraft): { base: Version; draft: AgentDraft } | undefined {
  if (typeof kept !== 'object' || kept === null || !('draft' in kept) || !('base' in kept)) return undefined;
  const { draft, base } = kept;
  if (typeof base !== 'object' || base === null || !('draft' in base) || !('at' in base)) return undefined;
  if (typeof base.at !== 'string' || !isDraft(draft, like) || !isDraft(base.draft, like)) return undefined;
  const savedAt = 'savedAt' in base && typeof base.savedAt === 'string' ? base.savedAt : null;
  return { draft, base: { draft: base.draft, at: base.at, savedAt } };
}
