/** The playground's conversation, and who answers a new one: the published version, the candidate or the draft. */
import { useState } from 'react';
import { useSearchParams } from 'wouter';
import type { AgentDraft } from '../../../contract/conversations/agent-versions.ts';
import type { Agent } from '../../../contract/conversations/agents.ts';
import { useKeptPlace } from '../../components/kept.ts';

export type Answerer = 'published' | 'candidate' | 'draft';

/** With what a conversation begins. At most one of draft and candidate is set; with none, the published version answers. */
export interface Beginning {
  /** `updated_at` of the draft. */
  draftAt: string | null;
  /** Number of the candidate. */
  candidate: number | null;
  /** True if tools that change data do not run. */
  readOnly: boolean;
}

/** The conversation of the playground. */
export interface Talk extends Beginning {
  id: string;
}

/**
 * Keeps the conversation in this browser tab, so that a reload and Back show it again. A kept conversation is not shown
 * again if it began with another draft than the one to try, or with a version that is no longer the candidate. With a
 * draft and no kept conversation, the draft answers first, because its instructions are the ones beside the
 * conversation. Tools that change data do not run unless the member has chosen so for this conversation.
 */
export function useTalk(agent: Agent, draft: AgentDraft | null) {
  const [params] = useSearchParams();
  const place = useKeptPlace(`playground.talk.${agent.id}`);
  const [talk, setTalk] = useState(() => {
    const kept = talkFrom(place.read());
    const triesDraft = draft !== null && (params.get('draft') !== null || kept?.draftAt != null);
    if (triesDraft) return kept?.draftAt === draft.updated_at ? kept : undefined;
    const isOver = kept?.candidate != null && kept.candidate !== agent.candidate?.version;
    return isOver ? undefined : kept;
  });
  const [wanted, want] = useState<Answerer>(() => {
    if (talk?.candidate != null) return 'candidate';
    return draft !== null && (talk === undefined || talk.draftAt !== null) ? 'draft' : 'published';
  });
  const [readOnly, setReadOnly] = useState(talk?.readOnly ?? true);
  const change = (now: Talk | undefined) => {
    setTalk(now);
    place.write(now);
  };
  /** Begins a new conversation with it. */
  const choose = (chosen: Answerer) => {
    want(chosen);
    change(undefined);
  };
  /** Begins a new conversation, in which tools that change data run or not. */
  const chooseReadOnly = (chosen: boolean) => {
    setReadOnly(chosen);
    change(undefined);
  };
  const begins: Beginning = {
    draftAt: (wanted === 'draft' ? draft?.updated_at : undefined) ?? null,
    candidate: (wanted === 'candidate' ? agent.candidate?.version : undefined) ?? null,
    readOnly,
  };
  return { talk, setTalk: change, begins, choose, chooseReadOnly };
}

function talkFrom(kept: unknown): Talk | undefined {
  if (typeof kept !== 'object' || kept === null) return undefined;
  if (!('id' in kept) || !('draftAt' in kept) || !('candidate' in kept) || !('readOnly' in kept))
    return undefined;
  const { id, draftAt, candidate, readOnly } = kept;
  if (typeof id !== 'string' || (typeof draftAt !== 'string' && draftAt !== null)) return undefined;
  if (typeof candidate !== 'number' && candidate !== null) return undefined;
  if (typeof readOnly !== 'boolean') return undefined;
  return { id, draftAt, candidate, readOnly };
}
