/** Custom roles: a name, and one checkbox per capability. */
import { Badge, Button, Checkbox, Group, Stack, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconPlus } from '../../components/icons.tsx';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Role } from '../../../contract/accounts/members.ts';
import { call } from '../../client.ts';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { FormDialog } from '../../components/form-dialog.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Page } from '../../components/page.tsx';
import { required, useServerForm } from '../../components/use-server-form.ts';
import { words } from '../../messages.ts';
import { useRoles } from './use-roles.ts';

const w = words.roles;

const columns: readonly Column<Role>[] = [
  {
    label: w.columns.name,
    lead: true,
    render: ({ name, built_in }) => (
      <Group gap={8}>
        {name}
        {built_in && <Badge color="gray">{w.builtIn}</Badge>}
      </Group>
    ),
  },
  {
    label: w.columns.capabilities,
    render: ({ built_in, capabilities }) =>
      built_in ? w.every : capabilities.map((one) => words.capabilities[one]).join(', ') || w.none,
  },
  { label: w.columns.members, render: ({ members }) => members.toLocaleString() },
];

export function Roles() {
  const roles = useRoles();
  const [editing, setEditing] = useState<Role | 'new'>();
  return (
    <Page
      title={w.title}
      lead={w.lead}
      actions={
        <Button
          leftSection={<IconPlus size={16} aria-hidden />}
          onClick={() => {
            setEditing('new');
          }}
        >
          {w.create}
        </Button>
      }
    >
      <Loaded query={roles}>
        {(rows) => (
          <DataTable
            label={w.table}
            rows={rows}
            rowKey={({ id }) => id}
            columns={columns}
            actions={(role) =>
              !role.built_in && (
                <>
                  <Button
                    variant="default"
                    size="xs"
                    onClick={() => {
                      setEditing(role);
                    }}
                  >
                    {w.edit}
                  </Button>
                  <ConfirmButton
                    size="xs"
                    label={w.delete}
                    title={w.deleteTitle(role.name)}
                    text={w.deleteText}
                    run={() => call('DELETE', `/roles/${role.id}`)}
                    query="roles"
                    done={w.deleted}
                  />
                </>
              )
            }
          />
        )}
      </Loaded>
      {editing !== undefined && (
        <EditRole
          role={editing === 'new' ? undefined : editing}
          close={() => {
            setEditing(undefined);
          }}
        />
      )}
    </Page>
  );
}

function EditRole({ role, close }: { role: Role | undefined; close: () => void }) {
  const queries = useQueryClient();
  const values: { name: string; capabilities: string[] } = {
    name: role?.name ?? '',
    capabilities: role?.capabilities ?? [],
  };
  const saving = useServerForm({
    values,
    check: { name: required },
    send: (body) =>
      role === undefined ? call('POST', '/roles', { body }) : call('PATCH', `/roles/${role.id}`, { body }),
    sent: async () => {
      await queries.invalidateQueries({ queryKey: ['roles'] });
      notifications.show({ message: w.saved });
      close();
    },
  });
  const { form } = saving;
  return (
    <FormDialog
      title={role === undefined ? w.create : w.edit}
      action={role === undefined ? w.createSubmit : words.common.save}
      of={saving}
      close={close}
    >
      <TextInput
        label={w.name}
        required
        withAsterisk={false}
        maxLength={60}
        data-autofocus
        {...form.getInputProps('name')}
      />
      <Checkbox.Group label={w.capabilities} {...form.getInputProps('capabilities')}>
        <Stack gap="xs" mt="xs">
          {Object.entries(words.capabilities).map(([value, label]) => (
            <Checkbox key={value} value={value} label={label} />
          ))}
        </Stack>
      </Checkbox.Group>
    </FormDialog>
  );
}
