/** The organization's members, their roles, and the invitations that nobody has accepted yet. */
import {
  Button,
  Checkbox,
  List,
  PasswordInput,
  Select,
  Text,
  TextInput,
  type SelectProps,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { CreatedInvitation, Invitation } from '../../../contract/accounts/invitations.ts';
import type { Member } from '../../../contract/accounts/members.ts';
import type { ApiToken } from '../../../contract/accounts/tokens.ts';
import { call } from '../../client.ts';
import { ConfirmButton, FormDialog, SecretDialog } from '../../components/dialogs.tsx';
import { IconUserPlus } from '../../components/icons.tsx';
import { Page } from '../../components/page.tsx';
import { useList, useRoles } from '../../components/queries.ts';
import { DataTable, QueryTable, type Column } from '../../components/table.tsx';
import { Hint, Marked, When } from '../../components/text.tsx';
import { required, useServerForm } from '../../components/use-server-form.ts';
import { texts } from '../../messages.ts';
import { useCan } from '../../shell/session.ts';

const t = texts.members;
const i = texts.invitations;

const columns: readonly Column<Member>[] = [
  {
    label: t.columns.email,
    render: ({ email, is_you }) => <Marked name={email} mark={is_you && t.you} />,
  },
  { label: t.columns.role, render: (member) => <RoleOf member={member} /> },
  { label: t.columns.since, render: ({ created_at }) => <When at={created_at} /> },
];

export function Members() {
  const [adding, dialog] = useDisclosure(false);
  const [inviting, invite] = useDisclosure(false);
  const members = useList<Member>('members', '/members');
  return (
    <Page
      title={t.title}
      lead={t.lead}
      actions={
        <>
          <Button variant="default" onClick={dialog.open}>
            {t.add}
          </Button>
          <Button leftSection={<IconUserPlus />} onClick={invite.open}>
            {i.invite}
          </Button>
        </>
      }
    >
      <QueryTable
        query={members}
        label={t.table}
        columns={columns}
        actions={(member) => <RemoveMember member={member} />}
      />
      <OpenInvitations />
      {adding && <AddMember close={dialog.close} />}
      {inviting && <InviteMember close={invite.close} />}
    </Page>
  );
}

/** Names the member's API tokens that still work, and offers to revoke them. */
function RemoveMember({ member }: { member: Member }) {
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
    <ConfirmButton
      size="xs"
      label={t.remove.label}
      title={t.remove.title(email)}
      text={t.remove.text}
      action={t.remove.action}
      done={t.remove.done}
      run={() => call('DELETE', `/members/${id}`, { query: { revoke_tokens: String(mayRevoke && revokes) } })}
      query="members"
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
    </ConfirmButton>
  );
}

function RoleSelect(props: SelectProps) {
  const data = (useRoles().data ?? []).map(({ id, name }) => ({ value: id, label: name }));
  return <Select data={data} allowDeselect={false} {...props} />;
}

function RoleOf({ member }: { member: Member }) {
  const change = useMutation({
    mutationFn: (role_id: string) => call('PATCH', `/members/${member.id}`, { body: { role_id } }),
    meta: { refetches: [['members']], done: t.changed, notifiesError: true },
  });
  return (
    <RoleSelect
      aria-label={t.changeRoleOf(member.email)}
      value={member.role_id}
      onChange={(id) => {
        if (id !== null && id !== member.role_id) change.mutate(id);
      }}
      disabled={change.isPending}
      size="xs"
      maw={240}
    />
  );
}

function AddMember({ close }: { close: () => void }) {
  const adding = useServerForm({
    values: { email: '', password: '', role_id: '' },
    check: { email: required, password: required, role_id: required },
    send: (form) => call('POST', '/members', { body: { ...form, email: form.email.trim() } }),
    meta: { refetches: [['members']], done: t.added },
    sent: close,
  });
  const { getInputProps } = adding.form;
  return (
    <FormDialog title={t.add} action={t.addSubmit} of={adding} close={close}>
      <TextInput label={t.email} {...emailInput} {...getInputProps('email')} />
      <PasswordInput
        label={t.password}
        description={t.passwordHelp}
        autoComplete="new-password"
        required
        {...getInputProps('password')}
      />
      <RoleSelect label={t.role} required {...getInputProps('role_id')} />
    </FormDialog>
  );
}

const emailInput = { type: 'email', autoComplete: 'off', required: true, 'data-autofocus': true } as const;

/** Asks for an email and a role, then shows the invitation link once. */
function InviteMember({ close }: { close: () => void }) {
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
    return (
      <SecretDialog
        title={i.linkTitle}
        lead={i.linkLead}
        label={i.linkLabel}
        secret={inviting.answer.link}
        copyLabel={i.copyLink}
        close={close}
      />
    );
  }
  return (
    <FormDialog title={i.invite} action={i.inviteSubmit} of={inviting} close={close}>
      <Hint>{i.inviteHelp}</Hint>
      <TextInput label={t.email} {...emailInput} {...getInputProps('email')} />
      <RoleSelect label={t.role} required {...getInputProps('role_id')} />
    </FormDialog>
  );
}

const invitationColumns: readonly Column<Invitation>[] = [
  {
    label: i.columns.email,
    render: ({ email, expired }) => <Marked name={email} mark={expired && i.expired} />,
  },
  { label: i.columns.role, render: ({ role_name }) => <span className="short">{role_name}</span> },
  { label: i.columns.by, render: ({ invited_by }) => invited_by },
  { label: i.columns.expires, render: ({ expires_at }) => <When at={expires_at} /> },
];

function OpenInvitations() {
  const { data: rows = [] } = useList<Invitation>('invitations', '/invitations');
  if (rows.length === 0) return null;
  return (
    <section aria-label={i.open}>
      <Text component="h2" fw={600} size="lg" mb="sm">
        {i.open}
      </Text>
      <DataTable
        label={i.table}
        rows={rows}
        rowKey={({ id }) => id}
        columns={invitationColumns}
        actions={({ id, email }) => (
          <ConfirmButton
            size="xs"
            {...i.revoke(email)}
            run={() => call('DELETE', `/invitations/${id}`)}
            query="invitations"
          />
        )}
      />
    </section>
  );
}
