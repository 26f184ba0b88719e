/** Who belongs to the organization, and in which role. */
import { Badge, Button, Group, Modal, Select, Stack, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { IconUserPlus } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Member } from '../../contract/console/members.ts';
import { ApiProblem, call } from '../client.ts';
import { Confirm } from '../pieces/confirm.tsx';
import { DataTable, type Column } from '../pieces/data-table.tsx';
import { Loaded } from '../pieces/loaded.tsx';
import { Page } from '../pieces/page.tsx';
import { PasswordField } from '../pieces/password-field.tsx';
import { When } from '../pieces/when.tsx';
import { FormEnd } from '../pieces/form-end.tsx';
import { words } from '../words.ts';
import { useRoles } from './use-roles.ts';

const w = words.members;

export function Members() {
  const queries = useQueryClient();
  const [adding, dialog] = useDisclosure(false);
  const [removing, setRemoving] = useState<Member>();
  const members = useQuery({
    queryKey: ['members'],
    queryFn: async () => (await call<{ data: Member[] }>('GET', '/members')).data,
  });
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
  return (
    <Page
      title={w.title}
      lead={w.lead}
      actions={
        <Button leftSection={<IconUserPlus size={16} aria-hidden />} onClick={dialog.open}>
          {w.add}
        </Button>
      }
    >
      <Loaded query={members}>
        {(rows) => (
          <DataTable
            label={w.table}
            rows={rows}
            rowKey={({ id }) => id}
            columns={columns}
            actions={(member) => (
              <Button
                variant="light"
                color="red"
                size="xs"
                onClick={() => {
                  setRemoving(member);
                }}
              >
                {w.remove}
              </Button>
            )}
          />
        )}
      </Loaded>
      {adding && <AddMember close={dialog.close} />}
      {removing && (
        <Confirm
          title={w.removeTitle(removing.email)}
          text={w.removeText}
          action={w.removeAction}
          run={async () => {
            await call('DELETE', `/members/${removing.id}`);
            await queries.invalidateQueries({ queryKey: ['members'] });
            notifications.show({ message: w.removed });
          }}
          close={() => {
            setRemoving(undefined);
          }}
        />
      )}
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
      data={(roles.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
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
  const roles = useRoles();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [role, setRole] = useState<string | null>(null);
  const add = useMutation({
    mutationFn: () =>
      call('POST', '/members', { body: { email: email.trim(), password, role_id: role ?? '' } }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['members'] });
      notifications.show({ message: w.added });
      close();
    },
  });
  const details = add.error instanceof ApiProblem ? add.error.details : [];
  const problem = (path: string) => details.find((detail) => detail.path === path)?.message;
  return (
    <Modal opened onClose={close} title={w.add}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          add.mutate();
        }}
      >
        <Stack>
          <TextInput
            label={w.email}
            type="email"
            autoComplete="off"
            required
            withAsterisk={false}
            data-autofocus
            value={email}
            error={problem('email')}
            onChange={(event) => {
              setEmail(event.currentTarget.value);
            }}
          />
          <PasswordField
            label={w.password}
            description={w.passwordHelp}
            autoComplete="new-password"
            value={password}
            error={problem('password')}
            onChange={(event) => {
              setPassword(event.currentTarget.value);
            }}
          />
          <Select
            label={w.role}
            required
            withAsterisk={false}
            data={(roles.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
            value={role}
            error={problem('role_id') === undefined ? undefined : words.common.required}
            onChange={setRole}
            allowDeselect={false}
          />
          <FormEnd of={add} submit={w.addSubmit} close={close} />
        </Stack>
      </form>
    </Modal>
  );
}
