/** The panel beside a conversation: its contact, facts and actions, and the contact's other conversations. */
import { Anchor, Group, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useLocation, useSearch } from 'wouter';
import type { ConversationRow, Timeline } from '../../../contract/conversations/timeline.ts';
import { call } from '../../client.ts';
import { CopiedId } from '../../components/copy.tsx';
import { ErasureSize } from '../../components/erasure-size.tsx';
import { IconExternalLink } from '../../components/icons.tsx';
import { withoutMarks } from '../../components/markdown.ts';
import { useRead } from '../../components/queries.ts';
import { confirmed, RowActions, type RowAction } from '../../components/row-actions.tsx';
import { Ago, Facts, Hint, TextLink, When, type Fact } from '../../components/text.tsx';
import { texts } from '../../messages.ts';
import { useCan, useSession } from '../../shell/session.ts';
import { useAddToTestSet } from '../rehearsals/use-add-to-test-set.ts';
import { ContactAvatar } from './contact-avatar.tsx';
import { nameOf } from './contact-name.ts';
import { erasureKey } from './timeline/use-timeline.ts';

const t = texts.conversation;

/** An action that erases the conversation; false for members without the capability `data.manage`. */
function useErase(id: string): RowAction | false {
  const can = useCan();
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const params = useSearch();
  if (!can('data.manage')) return false;
  const erase = confirmed({
    ...t.erase,
    mutationKey: erasureKey(id),
    run: async () => {
      // A read or a report that is in progress would find that the conversation is gone.
      await Promise.all(
        ['timeline', 'presence'].map((key) => queries.cancelQueries({ queryKey: [key, id] })),
      );
      await call('DELETE', `/conversations/${id}`);
      // Leaves the page first, because the page polls again after this function has ended.
      navigate(`/conversations${params === '' ? '' : `?${params}`}`);
      await queries.invalidateQueries({ queryKey: ['inbox'] });
      queries.removeQueries({ queryKey: ['timeline', id] });
    },
    children: <ErasureSize of={{ conversation_id: id }} />,
  });
  return { ...erase, isDestructive: true };
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

export function Details(props: { timeline: Timeline; workflowId: string }) {
  const { timeline, workflowId } = props;
  const { conversation } = timeline;
  const { temporal_ui } = useSession();
  const { agent_name, agent_id, channel, contact, created_at, id } = conversation;
  const add = useAddToTestSet(timeline);
  const erase = useErase(id);
  const facts: Fact[] = [
    [
      t.agent,
      <TextLink key="agent" to={`/agents/${agent_id}`}>
        {agent_name}
      </TextLink>,
    ],
    [t.channel, texts.conversations.channels[channel]],
    [t.begun, <When key="begun" at={created_at} />],
    [t.identifier, <CopiedId key="id" id={id} label={t.copyIdentifier} />],
  ];
  return (
    <aside className="facts conversation-details" aria-label={t.details}>
      <div className="details-head">
        {contact === undefined ? (
          <Text size="sm" fw={600}>
            {t.details}
          </Text>
        ) : (
          <>
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
          </>
        )}
        <RowActions name={nameOf(conversation)} buttons={0} actions={[add, erase]} />
      </div>
      <Facts facts={facts} />
      {contact !== undefined && <OtherConversations id={id} contactId={contact.id} />}
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
    </aside>
  );
}
