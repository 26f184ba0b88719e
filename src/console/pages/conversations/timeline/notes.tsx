/** The notes that members wrote on a conversation, in its timeline. */
import { Badge, Group, Text } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { useLayoutEffect, useRef } from 'react';
import type { Note } from '../../../../contract/conversations/teamwork.ts';
import type { TimelineEntry } from '../../../../contract/conversations/timeline.ts';
import { call } from '../../../client.ts';
import { ConfirmButton } from '../../../components/dialogs.tsx';
import { useRead } from '../../../components/queries.ts';
import { Minute, Multiline } from '../../../components/text.tsx';
import { texts } from '../../../messages.ts';

const t = texts.conversation;

/**
 * Reads the notes of a conversation, oldest first.
 * @param state the `notes` of its timeline. The notes are read again when it changes
 */
export function useNotes(id: string, state: string): readonly Note[] {
  const hasNotes = state !== '0';
  const { data } = useRead<{ data: Note[] }, Note[]>(['notes', id, state], `/conversations/${id}/notes`, {
    select: (page) => page.data,
    enabled: hasNotes,
    staleTime: Infinity,
    placeholderData: keepPreviousData,
  });
  return hasNotes ? (data ?? []) : [];
}

export type Item = { id: string; at: string } & ({ entry: TimelineEntry } | { note: Note });

/**
 * Puts the notes between the entries, by time.
 * @param isWhole false if there are older entries, which are not loaded. The notes before the first entry are then
 * omitted
 */
export function withNotes(
  entries: readonly TimelineEntry[],
  notes: readonly Note[],
  isWhole: boolean,
): Item[] {
  const items: Item[] = entries.map((entry) => ({ id: entry.id, at: entry.opened_at, entry }));
  const first = isWhole ? '' : (entries[0]?.opened_at ?? '');
  for (const note of notes) {
    const at = note.created_at;
    if (at < first) continue;
    const next = items.findIndex((item) => item.at > at);
    items.splice(next === -1 ? items.length : next, 0, { id: note.id, at, note });
  }
  return items;
}

export function NotePanel({ conversationId, note }: { conversationId: string; note: Note }) {
  const { id, author_name, text, created_at, may_delete } = note;
  const panel = useRef<HTMLElement>(null);
  // A deleted note is usually removed after the dialog has returned the focus to its button, which is removed with it.
  useLayoutEffect(() => {
    const element = panel.current;
    return () => {
      if (element?.contains(document.activeElement) === true)
        element.closest<HTMLElement>('.timeline')?.focus({ preventScroll: true });
    };
  }, []);
  return (
    <section className="panel note" aria-label={t.note} ref={panel}>
      <Group gap={8} mb={4}>
        <Badge color="yellow">{t.note}</Badge>
        <Text size="xs" fw={700} component="span">
          {author_name}
        </Text>
        <Text size="xs" component="span">
          <Minute at={created_at} />
        </Text>
        {may_delete && (
          <ConfirmButton
            {...t.noteDelete}
            variant="subtle"
            color="dark"
            size="compact-xs"
            ml="auto"
            query="timeline"
            run={() => call('DELETE', `/conversations/${conversationId}/notes/${id}`)}
          />
        )}
      </Group>
      <Multiline>{text}</Multiline>
    </section>
  );
}
