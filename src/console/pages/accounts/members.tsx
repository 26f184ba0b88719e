/** The organization's members and their roles. */
import { Badge, Button, Group, Select } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { IconUserPlus } from '../../components/icons.tsx';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Member } from '../../../contract/accounts/members.ts';
import { call } from '../../client.ts';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { EmailField } from '../../components/email-field.tsx';
import { FormDialog } from '../../components/form-dialog.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Page } from '../../components/page.tsx';
import { PasswordField } from '../../components/password-field.tsx';
import { required, useServerForm } from '../../components/use-server-form.ts';
import { When } from '../../components/when.tsx';
import { words } from '../../messages.ts';
import { InviteMember } from './invite-member.tsx';
import { OpenInvitations } from './open-invitations.tsx';
import { RoleField } from './role-field.tsx';
import { roleChoices, useRoles } from './use-roles.ts';

const w = words.members;

const columns: readonly Column<Member>[] = [
  {
    label: w.columns.email,
    lead: true,
    render: ({ email, is_you }) => (
      <Group gap={8}>
        {email}
        {is_you && <Badge color="gray">{w.you}</Badge>}
      </Group>
    ),
  },
  { label: w.columns.role, render: (member) => <RoleOf member={member} /> },
  { label: w.columns.since, render: ({ created_at }) => <When at={created_at} /> },
];

export function Members() {
  const [adding, dialog] = useDisclosure(false);
  const [inviting, invite] = useDisclosure(false);
  const members = useQuery({
    queryKey: ['members'],
    queryFn: async () => (await call<{ data: Member[] }>('GET', '/members')).data,
  });
  return (
    <Page
      title={w.title}
      lead={w.lead}
      actions={
        <>
          <Button variant="default" onClick={dialog.open}>
            {w.add}
          </Button>
          <Button leftSection={<IconUserPlus size={16} aria-hidden />} onClick={invite.open}>
            {words.invitations.invite}
          </Button>
        </>
      }
    >
      <Loaded query={members}>
        {(rows) => (
          <DataTable
            label={w.table}
            rows={rows}
            rowKey={({ id }) => id}
            columns={columns}
            actions={({ id, email }) => (
              <ConfirmButton
                size="xs"
                label={w.remove}
                title={w.removeTitle(email)}
                text={w.removeText}
                action={w.removeAction}
                run={() => call('DELETE', `/members/${id}`)}
                query="members"
                done={w.removed}
              />
            )}
          />
        )}
      </Loaded>
      <OpenInvitations />
      {adding && <AddMember close={dialog.close} />}
      {inviting && <InviteMember close={invite.close} />}
    </Page>
  );
}

function RoleOf({ member }: { member: Member }) {
  const queries = useQueryClient();
  const roles = useRoles();
  const change = useMutation({
    mutationFn: (role_id: string) => call('PATCH', `/members/${member.id}`, { body: { role_id } }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['members'] });
      notifications.show({ message: w.changed });
    },
    onError: (error) => notifications.show({ color: 'red', message: error.message }),
  });
  return (
    <Select
      aria-label={w.changeRoleOf(member.email)}
      data={roleChoices(roles.data)}
      value={member.role_id}
      onChange={(id) => {
        if (id !== null && id !== member.role_id) change.mutate(id);
      }}
      allowDeselect={false}
      disabled={change.isPending}
      size="xs"
      maw={240}
    />
  );
}

function AddMember({ close }: { close: () => void }) {
  const queries = useQueryClient();
  const adding = useServerForm({
    values: { email: '', password: '', role_id: '' },
    check: { email: required, password: required, role_id: required },
    send: (form) => call('POST', '/members', { body: { ...form, email: form.email.trim() } }),
    sent: async () => {
      await queries.invalidateQueries({ queryKey: ['members'] });
      notifications.show({ message: w.added });
      close();
    },
  });
  const { form } = adding;
  return (
    <FormDialog title={w.add} action={w.addSubmit} of={adding} close={close}>
      <EmailField label={w.email} data-autofocus {...form.getInputProps('email')} />
      <PasswordField
        label={w.password}
        description={w.passwordHelp}
        autoComplete="new-password"
        {...form.getInputProps('password')}
      />
      <RoleField {...form.getInputProps('role_id')} />
    </FormDialog>
  );
}
