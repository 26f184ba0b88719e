/** Shown while no conversation is open: who waits for a person, whose last answer failed, and the keys of the list. */
import { Kbd, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ConversationRow } from '../../../../contract/conversations/timeline.ts';
import { IconMessages } from '../../../components/icons.tsx';
import { NameAvatar } from '../../../components/name-avatar.tsx';
import { Heading } from '../../../components/page.tsx';
import { useRead } from '../../../components/queries.ts';
import { Ago, Hint, Lasted, TextLink } from '../../../components/text.tsx';
import { useWaitingApprovals } from '../../../components/waiting-approvals.ts';
import { useWaitingConversations } from '../../../components/waiting-conversations.ts';
import { texts } from '../../../messages.ts';
import { nameOf } from '../contact-name.ts';

const t = texts.conversations;
/** Maximum conversations of each of the two lists. The view that has all of them is a link below. */
const maxListed = 5;

export function NothingOpened() {
  const { count = 0, oldest = [], failed = 0 } = useWaitingConversations().data ?? {};
  const approvals = useWaitingApprovals().data?.length ?? 0;
  const { data } = useRead<{ data: ConversationRow[] }>(['inbox', 'failed'], '/conversations', {
    query: { only: 'failed', limit: maxListed },
    refetchInterval: 15_000,
    enabled: failed > 0,
  });
  return (
    <Stack className="inbox-empty" align="center" justify="center" gap="lg">
      {count > 0 && (
        <Needing
          title={t.whoWaits}
          all={
            count > maxListed ? { to: '/conversations?only=waiting', text: t.waitingCount(count) } : undefined
          }
        >
          {oldest.slice(0, maxListed).map(({ id, contact, agent_name, waiting_since, reason }) => (
            <One
              key={id}
              to={`/conversations/${id}?only=waiting`}
              name={contact ?? t.anonymous}
              why={`${t.waitReasons[reason]} · ${agent_name}`}
              since={<Lasted at={waiting_since} />}
            />
          ))}
        </Needing>
      )}
      {failed > 0 && data !== undefined && data.data.length > 0 && (
        <Needing
          title={t.whoFailed}
          all={
            failed > maxListed ? { to: '/conversations?only=failed', text: t.failedCount(failed) } : undefined
          }
        >
          {data.data.map((row) => (
            <One
              key={row.id}
              to={`/conversations/${row.id}?only=failed`}
              name={nameOf(row)}
              why={row.agent_name}
              since={<Ago at={row.updated_at} />}
            />
          ))}
        </Needing>
      )}
      {approvals > 0 && <TextLink to="/approvals">{texts.approvals.waitingCount(approvals)}</TextLink>}
      <IconMessages size={40} stroke={1.4} />
      <Text fw={600}>{t.nothingOpened}</Text>
      <Hint className="key-helps">
        {t.keys.map(([key, what]) => (
          <span key={key}>
            <Kbd size="sm">{key}</Kbd> {what}
          </span>
        ))}
      </Hint>
    </Stack>
  );
}

/** Conversations that need somebody. @param props.all the link to all of them, if there are more */
function Needing(props: {
  title: string;
  all: { to: string; text: string } | undefined;
  children: ReactNode;
}) {
  const { title, all, children } = props;
  return (
    <section className="panel needing" aria-label={title}>
      <Heading>{title}</Heading>
      <ul>{children}</ul>
      {all !== undefined && <TextLink to={all.to}>{all.text}</TextLink>}
    </section>
  );
}

function One({ to, name, why, since }: { to: string; name: string; why: string; since: ReactNode }) {
  return (
    <li>
      <NameAvatar name={name} size={32} />
      <div className="needing-who">
        <TextLink to={to}>{name}</TextLink>
        <Hint size="xs">{why}</Hint>
      </div>
      <Hint span size="xs" className="short">
        {since}
      </Hint>
    </li>
  );
}
