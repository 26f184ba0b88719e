/** The organization's members, their roles, and the invitations that nobody has accepted yet. */
import { Checkbox, Group, List, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Member } from '../../../contract/accounts/members.ts';
import type { PasswordReset } from '../../../contract/accounts/password-reset.ts';
import type { ApiToken } from '../../../contract/accounts/tokens.ts';
import { call } from '../../client.ts';
import { ConfirmDialog, DialogButton, Question } from '../../components/dialogs.tsx';
import { IconShieldLock, IconUserPlus } from '../../components/icons.tsx';
import { NameAvatar } from '../../components/name-avatar.tsx';
import { Page } from '../../components/page.tsx';
import { useMembers } from '../../components/people.ts';
import { useList } from '../../components/queries.ts';
import { confirmed, RowActions } from '../../components/row-actions.tsx';
import { QueryTable, type Column } from '../../components/table.tsx';
import { Ago, Hint, Marked, TextLink } from '../../components/text.tsx';
import { texts } from '../../messages.ts';
import { useCan } from '../../shell/session.ts';
import { InviteMember, LinkDialog, OpenInvitations } from './invitations.tsx';
import { RoleOf } from './member-role.tsx';

const t = texts.members;
const i = texts.invitations;

const columns: readonly Column<Member>[] = [
  {
    label: t.columns.member,
    render: ({ name, email, is_you }) => {
      const isNamed = !email.startsWith(`${name}@`);
      return (
        <Group gap="sm" wrap="nowrap" className="has-picture">
          <NameAvatar name={isNamed ? name : email} size={32} />
          <Stack gap={0}>
            <Marked name={isNamed ? name : email} mark={is_you && t.you} />
            {isNamed && (
              <Hint size="xs" fw={400}>
                {email}
              </Hint>
            )}
          </Stack>
        </Group>
      );
    },
  },
  { label: t.columns.role, isBelowName: true, render: (member) => <RoleOf member={member} /> },
  {
    label: t.columns.secondFactor,
    before: `${t.columns.secondFactor}:`,
    render: ({ second_factor }) =>
      second_factor ? (
        <Text span inherit c="var(--mantine-color-green-light-color)">
          {t.on}
        </Text>
      ) : (
        <Hint span size="xs">
          {t.off}
        </Hint>
      ),
  },
  { label: t.columns.since, render: ({ created_at }) => <Ago at={created_at} /> },
];

export function Members() {
  const members = useMembers();
  return (
    <Page
      title={t.title}
      lead={t.lead}
      actions={
        <DialogButton leftSection={<IconUserPlus />} label={i.invite}>
          {(close) => <InviteMember close={close} />}
        </DialogButton>
      }
    >
      <Stack className="members" gap="lg">
        <WithoutSecondFactor members={members.data ?? []} />
        <QueryTable
          query={members}
          label={t.table}
          columns={columns}
          actions={(member) => (
            <RowActions
              name={member.email}
              buttons={0}
              actions={[
                {
                  label: t.reset.label,
                  dialog: (close) => <ResetMember member={member} close={close} />,
                },
                confirmed({
                  ...t.signOut(member.email),
                  run: () => call('POST', `/members/${member.id}/sign-out`),
                }),
                {
                  label: t.remove.label,
                  dialog: (close) => <RemoveMember member={member} close={close} />,
                  isDestructive: true,
                },
              ]}
            />
          )}
        />
        <OpenInvitations />
      </Stack>
    </Page>
  );
}

/** Counts the members without a second factor. A user without one gets a link to the page that sets it up. */
function WithoutSecondFactor({ members }: { members: readonly Member[] }) {
  const without = members.filter(({ second_factor }) => !second_factor);
  if (without.length === 0) return null;
  return (
    <Group className="quiet-notice" gap="xs" wrap="nowrap">
      <IconShieldLock />
      <div>
        <span>{t.withoutSecondFactor(without.length)}</span>{' '}
        {without.some(({ is_you }) => is_you) && <TextLink to="/account">{t.setUpYours}</TextLink>}
      </div>
    </Group>
  );
}

/** Asks for confirmation, then creates a reset link. Shows the link once, or whether it was sent by mail. */
function ResetMember({ member: { id, email }, close }: { member: Member; close: () => void }) {
  const resetting = useMutation({
    mutationFn: () => call<PasswordReset>('POST', `/members/${id}/reset`),
    gcTime: 0,
  });
  const { data, mutate } = resetting;
  if (data !== undefined) return <LinkDialog made={data} {...t.reset.link} email={email} close={close} />;
  return <Question {...t.reset.question(email)} yes={() => mutate()} no={close} doing={resetting} />;
}

/**
 * Asks for confirmation, then removes the member. Shows how many of the member's API tokens still work, and lists them
 * if the user may view tokens. If the user may create tokens, also offers to revoke them.
 */
function RemoveMember({ member, close }: { member: Member; close: () => void }) {
  const { id, user_id, email, active_tokens: count } = member;
  const can = useCan();
  const [revokes, setRevokes] = useState(true);
  const mayName = count > 0 && can('tokens.view');
  const tokens = useList<ApiToken>('tokens', '/tokens', { enabled: mayName });
  const theirs = (tokens.data ?? []).filter(
    ({ created_by_id, rotated_by_id, status }) =>
      (created_by_id === user_id || rotated_by_id === user_id) && status === 'Active',
  );
  const mayRevoke = count > 0 && can('tokens.create');
  return (
    <ConfirmDialog
      label={t.remove.label}
      title={t.remove.title(email)}
      text={t.remove.text}
      action={t.remove.action}
      done={t.remove.done}
      run={() => call('DELETE', `/members/${id}`, { query: { revoke_tokens: String(mayRevoke && revokes) } })}
      query="members"
      close={close}
    >
      {count > 0 && <Text size="sm">{mayName ? t.remove.tokens(count) : t.remove.tokensUnnamed(count)}</Text>}
      {mayName && (
        <List size="sm">
          {theirs.map(({ id: tokenId, name, prefix }) => (
            <List.Item key={tokenId}>
              {name} ({prefix}…)
            </List.Item>
          ))}
        </List>
      )}
      {mayRevoke && (
        <Checkbox
          label={t.remove.revoke(count)}
          checked={revokes}
          onChange={(event) => setRevokes(event.currentTarget.checked)}
        />
      )}
    </ConfirmDialog>
  );
}
