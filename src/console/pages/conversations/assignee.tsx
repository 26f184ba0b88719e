/** The member to whom a conversation is assigned. Users who may take over conversations can change it. */
import { Button, Menu } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Colleague } from '../../../contract/conversations/teamwork.ts';
import type { ConversationRow } from '../../../contract/conversations/timeline.ts';
import { call } from '../../client.ts';
import { IconCheck, IconUser } from '../../components/icons.tsx';
import { NameAvatar } from '../../components/name-avatar.tsx';
import { useList } from '../../components/queries.ts';
import { Hint } from '../../components/text.tsx';
import { texts } from '../../messages.ts';
import { useCan, useSession } from '../../shell/session.ts';

const t = texts.conversation;

export function Assignee({ conversation: { id, assignee } }: { conversation: ConversationRow }) {
  const { user } = useSession();
  const can = useCan();
  const [isOpen, setOpen] = useState(false);
  const members = useList<Colleague>('assignees', '/assignees', { enabled: isOpen });
  const assign = useMutation({
    mutationFn: (user_id: string | null) =>
      call('PUT', `/conversations/${id}/assignee`, { body: { user_id } }),
    meta: { refetches: [['timeline', id], ['inbox'], ['waiting']], notifiesError: true },
  });
  const label = assignee === null ? t.assign : texts.conversations.assignedTo(assignee.name);
  if (!can('conversations.take_over')) return assignee !== null && <Hint>{label}</Hint>;
  const choice = (key: string | null, name: string) => (
    <Menu.Item
      key={key}
      rightSection={key === (assignee?.id ?? null) ? <IconCheck /> : null}
      aria-current={key === (assignee?.id ?? null) ? 'true' : undefined}
      onClick={() => assign.mutate(key)}
    >
      {name}
    </Menu.Item>
  );
  return (
    // Without a portal, because a portal would put the menu outside every landmark, where screen readers can miss it.
    <Menu
      opened={isOpen}
      onChange={setOpen}
      position="bottom-end"
      width={240}
      shadow="md"
      withinPortal={false}
      withInitialFocusPlaceholder={false}
    >
      <Menu.Target>
        <Button
          variant="default"
          maw={280}
          className="icon-on-phone"
          leftSection={assignee === null ? <IconUser /> : <NameAvatar name={assignee.name} size={20} />}
          loading={assign.isPending}
        >
          {label}
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah="60vh" style={{ overflowY: 'auto' }}>
        {choice(user.id, t.me)}
        {members.data?.filter((one) => one.id !== user.id).map((one) => choice(one.id, one.name))}
        <Menu.Divider />
        {choice(null, t.nobody)}
      </Menu.Dropdown>
    </Menu>
  );
}
