/** One conversation: its runs on a timeline, its details, and the takeover by a human agent. */
import { Anchor, Button, Group, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Fragment, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Link, useLocation, useSearch } from 'wouter';
import type { ConversationRow, Timeline, TimelineEntry } from '../../../contract/conversations/timeline.ts';
import { call } from '../../client.ts';
import { ActionButton } from '../../components/action-button.tsx';
import { Copy } from '../../components/copy.tsx';
import { ConfirmButton, destructive } from '../../components/dialogs.tsx';
import { dayOf, exactTime } from '../../components/format.ts';
import {
  IconArrowLeft,
  IconCheck,
  IconExternalLink,
  IconHistory,
  IconInfoCircle,
  IconMessages,
  IconTrash,
} from '../../components/icons.tsx';
import { withoutMarks } from '../../components/markdown.ts';
import { useRead } from '../../components/queries.ts';
import { Empty, Loaded } from '../../components/states.tsx';
import { Ago, Facts, Hint, TextLink, When, type Fact } from '../../components/text.tsx';
import { ErasureSize } from '../../components/erasure-size.tsx';
import { texts } from '../../messages.ts';
import { useCan, useSession } from '../../shell/session.ts';
import { AddToTestSet } from '../rehearsals/add-to-test-set.tsx';
import { Assignee } from './assignee.tsx';
import { ContactAvatar } from './contact-avatar.tsx';
import { nameOf } from './contact-name.ts';
import { States } from './inbox/conversation-list.tsx';
import { Presence } from './presence.tsx';
import { ReplyOrNote } from './reply-or-note.tsx';
import { Takeover, TakenOver } from './takeover.tsx';
import { InspectorPlace } from './inspector/inspector-place.tsx';
import { NewMessages, useFollowEnd } from './timeline/follow-end.tsx';
import { NotePanel, useNotes, withNotes } from './timeline/notes.tsx';
import { RunStatus } from './timeline/run-actions.tsx';
import { EntryPanel } from './timeline/run-panel.tsx';
import { erasureKey, useTimeline } from './timeline/use-timeline.ts';

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
          <RunStatus
            id={conversation.id}
            mayRegenerate={channel === 'api' && paused_until === undefined}
            entries={timeline.entries}
          />
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
            <EntryPanel entry={item.entry} customer={conversation.contact && nameOf(conversation)} />
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

/** A button that erases the conversation. Shown only to members with the capability `data.manage`. */
function Erase({ id }: { id: string }) {
  const can = useCan();
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const params = useSearch();
  if (!can('data.manage')) return null;
  return (
    <ConfirmButton
      size="xs"
      {...destructive}
      leftSection={<IconTrash size={14} />}
      {...t.erase}
      mutationKey={erasureKey(id)}
      run={async () => {
        // A read or a report that is in progress would find that the conversation is gone.
        await Promise.all(
          ['timeline', 'presence'].map((key) => queries.cancelQueries({ queryKey: [key, id] })),
        );
        await call('DELETE', `/conversations/${id}`);
        // Leaves the page first, because the page polls again after this function has ended.
        navigate(`/conversations${params === '' ? '' : `?${params}`}`);
        await queries.invalidateQueries({ queryKey: ['inbox'] });
        queries.removeQueries({ queryKey: ['timeline', id] });
      }}
    >
      <ErasureSize of={{ conversation_id: id }} />
    </ConfirmButton>
  );
}

/** Maximum number of other conversations that are shown. Chosen. */
const maxOthers = 5;

/** Links to the contact's latest other conversations. Renders nothing if there are none. */
function OtherConversations({ id, contactId }: { id: string; contactId: string }) {
  const { data } = useRead<{ data: ConversationRow[] }>(
    ['inbox', 'of-contact', contactId],
    '/conversations',
    {
      query: { contact_id: contactId, limit: maxOthers + 1 },
    },
  );
  const others = data?.data.filter((one) => one.id !== id).slice(0, maxOthers) ?? [];
  if (others.length === 0) return null;
  return (
    <section aria-labelledby="other-conversations" className="other-conversations">
      <Text size="xs" c="dimmed" id="other-conversations">
        {t.others}
      </Text>
      {others.map((one) => (
        <div key={one.id}>
          <TextLink to={`/conversations/${one.id}`}>{one.agent_name}</TextLink>
          <Hint size="xs">
            <Ago at={one.updated_at} />
          </Hint>
          <Text size="xs" lineClamp={2}>
            {one.last_role === 'agent' ? withoutMarks(one.last_text ?? '') : one.last_text}
          </Text>
        </div>
      ))}
    </section>
  );
}

function Details(props: { timeline: Timeline; workflowId: string }) {
  const { timeline, workflowId } = props;
  const { conversation } = timeline;
  const { temporal_ui } = useSession();
  const { agent_name, agent_id, channel, contact, created_at, id } = conversation;
  const facts: Fact[] = [
    [
      t.agent,
      <TextLink key="agent" to={`/agents/${agent_id}`}>
        {agent_name}
      </TextLink>,
    ],
    [t.channel, texts.conversations.channels[channel]],
    [t.begun, <When key="begun" at={created_at} />],
    [
      t.identifier,
      <Text key="id" size="xs" ff="monospace" truncate title={id}>
        {id}
      </Text>,
    ],
  ];
  return (
    <aside className="facts conversation-details" aria-label={t.details}>
      {contact !== undefined && (
        <Group gap="sm" wrap="nowrap" mb="md">
          <ContactAvatar of={conversation} size={40} />
          <div style={{ minWidth: 0 }}>
            <Text size="sm" fw={600} truncate title={nameOf(conversation)}>
              {nameOf(conversation)}
            </Text>
            <Hint size="xs">{t.contact}</Hint>
            {contact.name !== undefined && (
              <Text size="xs" truncate title={contact.id}>
                {contact.id}
              </Text>
            )}
          </div>
        </Group>
      )}
      <Facts facts={facts} />
      {contact !== undefined && <OtherConversations id={id} contactId={contact.id} />}
      <Group gap="sm">
        <Copy text={id} label={t.copyIdentifier} />
        {temporal_ui && (
          <Anchor
            href={`${temporal_ui.url}/namespaces/${encodeURIComponent(temporal_ui.namespace)}/workflows/${encodeURIComponent(workflowId)}`}
            target="_blank"
            rel="noreferrer"
            size="sm"
            underline="always"
          >
            <Group gap={6} wrap="nowrap">
              {t.workflow}
              <IconExternalLink size={14} />
            </Group>
          </Anchor>
        )}
        <AddToTestSet timeline={timeline} />
        <Erase id={id} />
      </Group>
    </aside>
  );
}
