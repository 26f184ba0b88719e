/** The organization's members, their roles, and the invitations that nobody has accepted yet. */
import {
  Button,
  Checkbox,
  Group,
  List,
  Select,
  Stack,
  Text,
  TextInput,
  type SelectProps,
} from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { CreatedInvitation, Invitation, MailState } from '../../../contract/accounts/invitations.ts';
import type { Member } from '../../../contract/accounts/members.ts';
import type { PasswordReset } from '../../../contract/accounts/password-reset.ts';
import type { ApiToken } from '../../../contract/accounts/tokens.ts';
import { call } from '../../client.ts';
import { Person } from '../../components/actor.tsx';
import {
  ConfirmDialog,
  Dialog,
  DialogButton,
  Done,
  FormDialog,
  Question,
  SecretDialog,
} from '../../components/dialogs.tsx';
import { IconShieldLock, IconUserPlus } from '../../components/icons.tsx';
import { NameAvatar } from '../../components/name-avatar.tsx';
import { Page, Section } from '../../components/page.tsx';
import { useMembers } from '../../components/people.ts';
import { useList, useRoles } from '../../components/queries.ts';
import { confirmed, deletion, RowActions } from '../../components/row-actions.tsx';
import { DataTable, QueryTable, type Column } from '../../components/table.tsx';
import { Ago, Hint, Left, Marked, TextLink } from '../../components/text.tsx';
import { required, useServerForm } from '../../components/use-server-form.ts';
import { texts } from '../../messages.ts';
import { useCan, useSession } from '../../shell/session.ts';

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
  { label: t.columns.role, before: '', render: (member) => <RoleOf member={member} /> },
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

/** Shows a link once. If the installation sends mail, shows instead whether the mail with the link was sent. */
function LinkDialog(props: {
  made: { link: string | null; mail: MailState };
  email: string;
  title: string;
  lead: string;
  label: string;
  copyLabel: string;
  close: () => void;
}) {
  const { made, email, close, ...secret } = props;
  if (made.link !== null) return <SecretDialog {...secret} secret={made.link} close={close} />;
  const isSent = made.mail === 'sent';
  return (
    <Dialog onClose={close} title={isSent ? i.sentTitle : i.unsentTitle}>
      <Stack>
        <Text size="sm" role={isSent ? 'status' : 'alert'}>
          {isSent ? i.sent(email) : i.unsent(email)}
        </Text>
        <Done close={close} />
      </Stack>
    </Dialog>
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

function RoleSelect(props: SelectProps) {
  const data = (useRoles().data ?? []).map(({ id, name }) => ({ value: id, label: name }));
  return <Select data={data} {...props} />;
}

/** Says in one line what a role may do, all of it on hover; nothing on narrow screens. */
function RoleMeaning({ id }: { id: string }) {
  const role = useRoles().data?.find((one) => one.id === id);
  if (role === undefined) return null;
  const meaning = role.built_in
    ? texts.roles.every
    : role.capabilities.map((one) => texts.capabilities[one]).join(', ');
  return (
    <Hint size="xs" truncate className="wide-only" title={meaning}>
      {meaning}
    </Hint>
  );
}

function RoleOf({ member }: { member: Member }) {
  const change = useMutation({
    mutationFn: (role_id: string) => call('PATCH', `/members/${member.id}`, { body: { role_id } }),
    meta: { refetches: [['members']], done: t.changed, notifiesError: true },
  });
  return (
    <>
      <RoleSelect
        aria-label={t.changeRoleOf(member.email)}
        value={member.role_id}
        onChange={(id) => {
          if (id !== null && id !== member.role_id) change.mutate(id);
        }}
        readOnly={change.isPending}
        size="xs"
        classNames={{ root: 'quiet-select', input: 'quiet-input' }}
      />
      <RoleMeaning id={member.role_id} />
    </>
  );
}

const emailInput = { type: 'email', autoComplete: 'off', required: true, 'data-autofocus': true } as const;

/** Asks for an email address and a role. Then shows the invitation link once, or whether it was sent by mail. */
function InviteMember({ close }: { close: () => void }) {
  const { sends_mail } = useSession();
  const inviting = useServerForm({
    values: { email: '', role_id: '' },
    check: { email: required, role_id: required },
    send: ({ email, role_id }) =>
      call<CreatedInvitation>('POST', '/invitations', { body: { email: email.trim(), role_id } }),
    meta: { refetches: [['invitations']] },
    secret: true,
  });
  const { getInputProps } = inviting.form;
  if (inviting.answer !== undefined) {
    return <LinkDialog made={inviting.answer} {...i.link} email={inviting.answer.email} close={close} />;
  }
  return (
    <FormDialog
      title={i.invite}
      action={sends_mail ? i.inviteByMail : i.inviteSubmit}
      of={inviting}
      close={close}
    >
      <Hint>{sends_mail ? i.inviteByMailHelp : i.inviteHelp}</Hint>
      <TextInput label={t.email} {...emailInput} {...getInputProps('email')} />
      <RoleSelect label={t.role} required {...getInputProps('role_id')} />
    </FormDialog>
  );
}

/** A button that replaces an invitation with a new one of the same email and role. */
function Resend(props: { invitation: Invitation; made: (invitation: CreatedInvitation) => void }) {
  const { email, role_id } = props.invitation;
  const label = useSession().sends_mail ? i.resend : i.newLink;
  const sending = useMutation({
    mutationFn: () => call<CreatedInvitation>('POST', '/invitations', { body: { email, role_id } }),
    meta: { refetches: [['invitations']], notifiesError: true },
    onSuccess: props.made,
    gcTime: 0,
  });
  return (
    <Button
      variant="default"
      size="xs"
      aria-label={`${label}: ${email}`}
      title={i.resendHelp}
      loading={sending.isPending}
      onClick={() => sending.mutate()}
    >
      {label}
    </Button>
  );
}

const invitationColumns: readonly Column<Invitation>[] = [
  {
    label: i.columns.email,
    render: ({ email, expired }) => <Marked name={email} mark={expired && i.expired} />,
  },
  {
    label: i.columns.role,
    before: '',
    render: ({ role_name }) => <span className="short">{role_name}</span>,
  },
  { label: i.columns.by, render: ({ invited_by }) => <Person email={invited_by} /> },
  { label: i.columns.expires, render: ({ expires_at }) => <Left at={expires_at} /> },
];

function OpenInvitations() {
  const { data: rows = [] } = useList<Invitation>('invitations', '/invitations');
  // Not in the row, which the new invitation replaces. The link is in memory only while the dialog shows it.
  const [made, setMade] = useState<CreatedInvitation>();
  if (rows.length === 0) return null;
  return (
    <Section title={i.open} label={i.open}>
      <DataTable
        label={i.table}
        rows={rows}
        rowKey={({ id }) => id}
        columns={invitationColumns}
        actions={(invitation) => (
          <>
            <Resend invitation={invitation} made={setMade} />
            <RowActions
              name={invitation.email}
              buttons={0}
              actions={[
                deletion({
                  ...i.revoke(invitation.email),
                  path: `/invitations/${invitation.id}`,
                  query: 'invitations',
                }),
              ]}
            />
          </>
        )}
      />
      {made !== undefined && (
        <LinkDialog made={made} {...i.link} email={made.email} close={() => setMade(undefined)} />
      )}
    </Section>
  );
}
