/** The list of the inbox: search, views, filters, and one row per conversation. */
import { Badge, Button, Center, Group, Highlight, Stack, Text, Title, VisuallyHidden } from '@mantine/core';
import { Link, useSearch } from 'wouter';
import type { ChannelName } from '../../../../contract/conversations/channel-name.ts';
import type { ConversationRow } from '../../../../contract/conversations/timeline.ts';
import { call } from '../../../client.ts';
import { ActionButton } from '../../../components/action-button.tsx';
import { IconBrandWhatsapp, IconCode, IconMessages } from '../../../components/icons.tsx';
import { NameAvatar } from '../../../components/name-avatar.tsx';
import { Empty, Loaded } from '../../../components/states.tsx';
import { Ago, Hint, Lasted } from '../../../components/text.tsx';
import { withoutMarks } from '../../../components/markdown.ts';
import { texts } from '../../../messages.ts';
import { ContactAvatar } from '../contact-avatar.tsx';
import { nameOf } from '../contact-name.ts';
import { InboxFilters, useInboxFilters } from './inbox-filters.tsx';
import { NotifyMe } from './notify-me.tsx';
import type { useInboxRows } from './inbox-rows.ts';

const t = texts.conversations;

const channelIcons: Record<ChannelName, typeof IconBrandWhatsapp> = {
  api: IconCode,
  whatsapp: IconBrandWhatsapp,
};

export function ConversationList(props: {
  /** Id of the conversation that is open beside the list. */
  opened: string | undefined;
  inbox: ReturnType<typeof useInboxRows>;
}) {
  const { opened, inbox } = props;
  const { first, rows } = inbox;
  const words = useInboxFilters()['search']?.split(/\s+/) ?? [];
  return (
    <section className="inbox-list" aria-label={t.title}>
      <Stack gap="xs" className="inbox-head">
        <Group gap={4}>
          <Title order={opened === undefined ? 1 : 2} size="h4" mr="auto">
            {t.title}
          </Title>
          <NotifyMe />
          <ActionButton
            variant="subtle"
            size="compact-sm"
            label={t.markAllRead}
            run={() => call('POST', '/conversations/seen')}
            refetches={[['inbox'], ['waiting']]}
          />
        </Group>
        <InboxFilters />
      </Stack>
      <Loaded query={first}>
        {({ is_partial }) =>
          rows.length === 0 ? (
            <Empty icon={IconMessages} title={t.emptyTitle} text={t.emptyText} />
          ) : (
            <>
              <div role="table" aria-label={t.table}>
                <VisuallyHidden role="rowgroup">
                  <span role="row">
                    {Object.values(t.columns).map((label) => (
                      <span key={label} role="columnheader">
                        {label}
                      </span>
                    ))}
                  </span>
                </VisuallyHidden>
                <div role="rowgroup">
                  {rows.map((row) => (
                    <Row key={row.id} row={row} isOpen={row.id === opened} words={words} />
                  ))}
                </div>
              </div>
              {is_partial && (
                <Hint px="md" py="sm">
                  {t.partial}
                </Hint>
              )}
            </>
          )
        }
      </Loaded>
      {inbox.hasMore && (
        <Center py="md">
          <Button variant="default" size="sm" loading={inbox.isLoadingMore} onClick={inbox.loadMore}>
            {texts.common.more}
          </Button>
        </Center>
      )}
    </section>
  );
}

function Row({ row, isOpen, words }: { row: ConversationRow; isOpen: boolean; words: string[] }) {
  const params = useSearch();
  const { id, updated_at, assignee } = row;
  const Icon = channelIcons[row.channel];
  // The open conversation shows no unread count, because its messages are on the same page.
  const unread = isOpen ? 0 : row.unread;
  return (
    <div
      role="row"
      className="inbox-row"
      data-open={isOpen || undefined}
      data-unread={unread > 0 || undefined}
    >
      <div role="cell" className="inbox-who">
        <ContactAvatar of={row} />
        <Link
          href={`/conversations/${id}${params === '' ? '' : `?${params}`}`}
          className="inbox-link"
          data-conversation={id}
          aria-current={isOpen ? 'page' : undefined}
        >
          {nameOf(row)}
        </Link>
      </div>
      <div role="cell" className="inbox-when">
        <Ago at={updated_at} />
      </div>
      <div role="cell" className="inbox-last">
        <Excerpt row={row} isOpen={isOpen} words={words} />
        {unread > 0 && (
          <Badge circle={unread < 10} variant="filled" size="sm" title={t.unread(unread)}>
            <span aria-hidden>{unread < 10 ? unread : '9+'}</span>
            <VisuallyHidden>{t.unread(unread)}</VisuallyHidden>
          </Badge>
        )}
      </div>
      <div role="cell" className="inbox-agent">
        <Icon size={14} aria-label={t.channels[row.channel]} role="img" />
        <span>{row.agent_name}</span>
      </div>
      <div role="cell" className="inbox-state">
        {/* Who waits for a person needs one: that somebody has paused the agent says less. */}
        <States row={row.waiting_since === null ? row : { ...row, paused_until: undefined }} />
        {row.waiting_since !== null && (
          <Hint span size="xs">
            <Lasted at={row.waiting_since} />
          </Hint>
        )}
        {assignee !== null && (
          <span title={t.assignedTo(assignee.name)}>
            <VisuallyHidden>{t.assignedTo(assignee.name)}</VisuallyHidden>
            <NameAvatar name={assignee.name} size={20} />
          </span>
        )}
      </div>
    </div>
  );
}

type StatesOf = Pick<
  ConversationRow,
  'waiting_since' | 'has_failed' | 'waits_for_approval' | 'done' | 'is_test'
> & {
  paused_until?: string | undefined;
};

function Excerpt({ row, isOpen, words }: { row: ConversationRow; isOpen: boolean; words: string[] }) {
  const { last_role, last_text, match } = row;
  const isAgent = last_role === 'agent';
  const author = isAgent ? `${t.agent}: ` : '';
  const shown = isAgent ? withoutMarks(last_text ?? '') : last_text;
  const look = { size: 'sm', component: 'div', lineClamp: 1 } as const;
  if (match !== undefined) {
    return (
      <Text {...look}>
        <Highlight component="span" inherit highlight={words}>
          {match}
        </Highlight>
      </Text>
    );
  }
  // The open conversation already contains this text. CSS shows it here from an attribute, so that the page's text
  // contains it only once.
  if (isOpen) return <Text {...look} className="inbox-opened" data-text={author + (shown ?? '')} />;
  return (
    <Text {...look}>
      <Text span c="dimmed" inherit>
        {author}
      </Text>
      {shown}
    </Text>
  );
}

export function States({ row }: { row: StatesOf }) {
  const { waiting_since, has_failed, waits_for_approval, paused_until, done, is_test } = row;
  return (
    <>
      {waiting_since !== null && <Badge color="orange">{t.waiting}</Badge>}
      {waits_for_approval && <Badge color="yellow">{texts.timeline.waitsForApproval}</Badge>}
      {has_failed && <Badge color="red">{t.failed}</Badge>}
      {paused_until !== undefined && <Badge color="violet">{t.paused}</Badge>}
      {done !== null && (
        <Badge color="gray" title={done.by === null ? t.doneByTime : t.doneBy(done.by)}>
          {t.done}
        </Badge>
      )}
      {is_test && <Badge color="gray">{t.test}</Badge>}
    </>
  );
}
