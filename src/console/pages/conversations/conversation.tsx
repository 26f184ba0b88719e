/** One conversation: its runs on a timeline, its details, and the takeover by a human agent. */
import { Button, Group, Stack, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { Fragment, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Link, useSearch } from 'wouter';
import type { Timeline, TimelineEntry } from '../../../contract/conversations/timeline.ts';
import { call } from '../../client.ts';
import { ActionButton } from '../../components/action-button.tsx';
import { dayOf, exactTime } from '../../components/format.ts';
import {
  IconArrowLeft,
  IconCheck,
  IconHistory,
  IconInfoCircle,
  IconMessages,
} from '../../components/icons.tsx';
import { Empty, Loaded } from '../../components/states.tsx';
import { Hint } from '../../components/text.tsx';
import { texts } from '../../messages.ts';
import { useCan } from '../../shell/session.ts';
import { Assignee } from './assignee.tsx';
import { ContactAvatar } from './contact-avatar.tsx';
import { nameOf } from './contact-name.ts';
import { Details } from './conversation-details.tsx';
import { States } from './inbox/conversation-list.tsx';
import { Presence } from './presence.tsx';
import { ReplyOrNote } from './reply-or-note.tsx';
import { Takeover, TakenOver } from './takeover.tsx';
import { InspectorPlace } from './inspector/inspector-place.tsx';
import { NewMessages, useFollowEnd } from './timeline/follow-end.tsx';
import { NotePanel, useNotes, withNotes } from './timeline/notes.tsx';
import { RunActions } from './timeline/run-actions.tsx';
import { EntryPanel } from './timeline/run-panel.tsx';
import { waitsForDecision } from './timeline/timeline-polls.ts';
import { useTimeline } from './timeline/use-timeline.ts';

const t = texts.conversation;

export function Conversation({ id }: { id: string }) {
  const query = useTimeline(id);
  return (
    <section className="conversation" aria-label={t.title}>
      {query.data === undefined ? (
        <>
          <Back />
          <Loaded query={query}>{() => null}</Loaded>
        </>
      ) : (
        <Shown timeline={query.data} />
      )}
      <InspectorPlace />
    </section>
  );
}

/** A link back to the list. CSS shows it on narrow screens only, which do not show the list beside the conversation. */
function Back() {
  const params = useSearch();
  return (
    <Link
      href={`/conversations${params === '' ? '' : `?${params}`}`}
      className="conversation-back"
      aria-label={t.back}
      title={t.back}
    >
      <IconArrowLeft size={20} />
    </Link>
  );
}

function Shown({ timeline }: { timeline: Timeline }) {
  const { conversation, workflow_id } = timeline;
  const { paused_until, channel } = conversation;
  const { content, isAtEnd, toEnd } = useFollowEnd();
  const [hasDetails, details] = useDisclosure(false);
  useMarkSeen(conversation, isAtEnd);
  return (
    <>
      <header className="conversation-head">
        <Group gap="xs">
          <Back />
          <ContactAvatar of={conversation} size={32} />
          <div>
            <Title order={1} size="h4" lh={1.2}>
              {nameOf(conversation)}
            </Title>
            <Hint size="xs" lh={1.3}>
              {conversation.agent_name} · {texts.conversations.channels[channel]}
            </Hint>
          </div>
          <States row={conversation} />
          <Presence id={conversation.id} />
        </Group>
        <Group gap={6} className="conversation-actions">
          <Assignee conversation={conversation} />
          <Done conversation={conversation} />
          <Takeover conversation={conversation} />
          <Button
            variant="default"
            className="details-button icon-on-phone"
            leftSection={<IconInfoCircle />}
            aria-expanded={hasDetails}
            onClick={details.toggle}
          >
            {t.details}
          </Button>
        </Group>
      </header>
      <div className="conversation-body" data-details={hasDetails || undefined}>
        <Details timeline={timeline} workflowId={workflow_id} />
        <Stack className="conversation-thread">
          <TakenOver conversation={conversation} />
          <Thread timeline={timeline} content={content} />
          {!timeline.entries.some(waitsForDecision) && (
            <RunActions
              id={conversation.id}
              mayRegenerate={channel === 'api' && paused_until === undefined}
              entries={timeline.entries}
              variant="default"
              size="xs"
            />
          )}
          <div className="thread-foot">
            <NewMessages entries={timeline.entries} isAtEnd={isAtEnd} toEnd={toEnd} />
            <ReplyOrNote key={conversation.id} conversation={conversation} sent={toEnd} />
          </div>
        </Stack>
      </div>
    </>
  );
}

/** While the user is at the end of the conversation, records that the user has seen all its messages. */
function useMarkSeen({ id, messages }: Timeline['conversation'], isAtEnd: boolean) {
  const { mutate } = useMutation({
    mutationFn: (seen: number) => call('PUT', `/conversations/${id}/seen`, { body: { messages: seen } }),
    meta: { refetches: [['waiting']] },
  });
  useEffect(() => {
    if (isAtEnd && messages > 0) mutate(messages);
  }, [isAtEnd, messages, mutate]);
}

function Thread(props: { timeline: Timeline; content: (element: HTMLElement | null) => void }) {
  const {
    timeline: { conversation, entries, older, notes },
    content,
  } = props;
  const [before, setBefore] = useState<{ entries: TimelineEntry[]; older: boolean }>({ entries: [], older });
  const first = before.entries[0] ?? entries[0];
  // After older entries are inserted at the top, scrolls down by their height, so that the visible entries do not move.
  const heightBefore = useRef<number>(undefined);
  useLayoutEffect(() => {
    if (heightBefore.current === undefined) return;
    window.scrollBy(0, document.documentElement.scrollHeight - heightBefore.current);
    heightBefore.current = undefined;
  }, [before]);
  const load = useMutation({
    mutationFn: () =>
      call<Timeline>('GET', `/conversations/${conversation.id}/timeline`, {
        query: { before: first?.ordinal },
      }),
    onSuccess: (page) => {
      heightBefore.current = document.documentElement.scrollHeight;
      setBefore({ entries: [...page.entries, ...before.entries], older: page.older });
    },
  });
  const known = new Set(entries.map(({ id }) => id));
  const shown = [...before.entries.filter(({ id }) => !known.has(id)), ...entries];
  const items = withNotes(shown, useNotes(conversation.id, notes), !before.older);
  if (items.length === 0) return <Empty icon={IconMessages} title={t.empty} />;
  return (
    <Stack component="section" aria-label={t.timeline} className="timeline" tabIndex={-1} ref={content}>
      {before.older && (
        <Button variant="default" loading={load.isPending} onClick={() => load.mutate()}>
          {t.older}
        </Button>
      )}
      {items.map((item, at) => (
        <Fragment key={item.id}>
          <Day at={item.at} before={items[at - 1]?.at} />
          {'note' in item ? (
            <NotePanel conversationId={conversation.id} note={item.note} />
          ) : (
            <EntryPanel
              entry={item.entry}
              customer={conversation.contact && nameOf(conversation)}
              stop={
                <RunActions
                  id={conversation.id}
                  mayRegenerate={false}
                  entries={entries}
                  variant="subtle"
                  color="gray"
                />
              }
            />
          )}
        </Fragment>
      ))}
    </Stack>
  );
}

/** Shows the day of an entry or a note, unless the one before it is from the same day. */
function Day({ at, before }: { at: string; before: string | undefined }) {
  const day = dayOf(at);
  if (before !== undefined && dayOf(before) === day) return null;
  return (
    <div className="day">
      <time dateTime={at} title={exactTime(at)}>
        {day}
      </time>
    </div>
  );
}

/**
 * A button that marks the conversation as done or, if it is done, opens it again. Renders nothing for users who may not
 * take over conversations.
 */
function Done({ conversation: { id, done } }: { conversation: Timeline['conversation'] }) {
  const can = useCan();
  if (!can('conversations.take_over')) return null;
  const isOpen = done === null;
  return (
    <ActionButton
      variant="default"
      className="icon-on-phone"
      data-done={isOpen || undefined}
      leftSection={isOpen ? <IconCheck /> : <IconHistory />}
      title={isOpen ? t.doneHelp : undefined}
      label={isOpen ? t.done : t.reopen}
      run={() => call('POST', `/conversations/${id}/${isOpen ? 'done' : 'reopen'}`)}
      refetches={[['timeline', id], ['inbox'], ['waiting']]}
    />
  );
}
