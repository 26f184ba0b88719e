/**
 * State of the agent form: the typed values, the version on which they are based, and a conflict if another user has
 * saved since. The form shows the saved draft if the agent has one, else the published version.
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
import { changesAsBody, changesBetween, contentOf, isVersioned, withContent } from './version-content.ts';

/**
 * The server's state on which the form is based. It follows the server while the form has no changes. After a save, it is
 * the saved state.
 */
interface Version {
  draft: AgentDraft;
  /** The agent's `updated_at`. */
  at: string;
  /** The saved draft's `updated_at`; null if there was none. */
  savedAt: string | null;
}

/** The server's current state. */
interface Stored {
  agent: Agent;
  saved: SavedDraft | null;
}

export type AgentForm = ReturnType<typeof useAgentForm>;

/**
 * @param agent the agent as the server has it now, which may be newer than the form's version
 * @param saved the server's current draft of the agent; null if there is none
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
  /** True if the next save stores changed content as a draft, even if the agent has none yet. */
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
   * Runs `change`. If another user has changed the agent or its draft, opens the dialog with their changes.
   * @throws ApiProblem `version_conflict` in this case; otherwise the error of `change`
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

  /** Bases the form on the server's new state, and keeps what the user has typed since `sent` was sent. */
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
   * Applies the form's changes to the saved draft's content or, if there is no draft, to the published version's.
   * @returns the resulting content; nothing is saved
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

  /** Saves the content as the draft. Changed settings that no version contains are saved first, and apply at once. */
  const putDraft = async (values: AgentDraft): Promise<Stored> => {
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
    const draft = await call<SavedDraft>('PUT', `${path}/draft`, {
      body: { ...changesAsBody(published, content), base_version: published.version },
      headers: { 'If-Match': newest.current.savedAt ?? published.updated_at },
    });
    return { agent: published, saved: draft };
  };

  const server = useServerForm({
    values: kept?.draft ?? base.draft,
    send: async (draft: AgentDraft): Promise<Stored> =>
      await unlessChanged(async () => {
        const change = changeOf(newest.current.draft, draft);
        const becomesDraft = savesDraft.current || stored.current.saved !== null;
        if (becomesDraft && Object.keys(change).some(isVersioned)) return await putDraft(draft);
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
    if (theirs !== undefined && !hasChanges) replaceBy(theirs, theirs.draft);
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
     * @returns the differences between the published version and the form
     * @throws Error if the script is not valid YAML
     */
    changes: () => changesBetween(contentOf(stored.current.agent), contentIn(form.getValues())),
    /** Saves the form as the draft unless the draft is up to date, then publishes the draft. @returns the version */
    publish: async (note: string, percent: number): Promise<AgentVersionDetail> => {
      savesDraft.current = true;
      return await unlessChanged(async () => {
        const values = form.getValues();
        const { agent: published, saved: before } = stored.current;
        const isSaved =
          before?.base_version === published.version &&
          differences(newest.current.draft, values).length === 0;
        if (!isSaved) await continueFrom(await putDraft(values), values);
        const version = await call<AgentVersionDetail>('POST', `${path}/versions`, {
          body: { ...(note !== '' && { note }), percent },
          headers: { 'If-Match': newest.current.savedAt ?? '' },
        });
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
    /** Set if another user has changed the agent or its draft since the version on which the form is based. */
    conflict: theirs && {
      /**
       * The other user's action: changed the agent (`agent`), saved a draft (`draft`), or published or discarded the
       * draft (`draftGone`).
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
      /** Applies the form's changes to the other user's version and saves the result. */
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
