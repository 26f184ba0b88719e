/** Custom roles: a name, and one checkbox for each capability. */
import { Badge, Button, Checkbox, Group, Modal, Stack, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconPlus } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Role } from '../../contract/console/members.ts';
import { ApiProblem, call } from '../client.ts';
import { Confirm } from '../pieces/confirm.tsx';
import { DataTable, type Column } from '../pieces/data-table.tsx';
import { Loaded } from '../pieces/loaded.tsx';
import { Page } from '../pieces/page.tsx';
import { FormEnd } from '../pieces/form-end.tsx';
import { words } from '../words.ts';
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
  const queries = useQueryClient();
  const roles = useRoles();
  const [editing, setEditing] = useState<Role | 'new'>();
  const [deleting, setDeleting] = useState<Role>();
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
                  <Button
                    variant="light"
                    color="red"
                    size="xs"
                    onClick={() => {
                      setDeleting(role);
                    }}
                  >
                    {w.delete}
                  </Button>
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
      {deleting && (
        <Confirm
          title={w.deleteTitle(deleting.name)}
          text={w.deleteText}
          action={w.delete}
          run={async () => {
            await call('DELETE', `/roles/${deleting.id}`);
            await queries.invalidateQueries({ queryKey: ['roles'] });
            notifications.show({ message: w.deleted });
          }}
          close={() => {
            setDeleting(undefined);
          }}
        />
      )}
    </Page>
  );
}

function EditRole({ role, close }: { role: Role | undefined; close: () => void }) {
  const queries = useQueryClient();
  const [name, setName] = useState(role?.name ?? '');
  const [capabilities, setCapabilities] = useState<string[]>(role?.capabilities ?? []);
  const save = useMutation({
    mutationFn: () => {
      const body = { name, capabilities };
      return role === undefined
        ? call('POST', '/roles', { body })
        : call('PATCH', `/roles/${role.id}`, { body });
    },
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['roles'] });
      notifications.show({ message: w.saved });
      close();
    },
  });
  const details = save.error instanceof ApiProblem ? save.error.details : [];
  return (
    <Modal opened onClose={close} title={role === undefined ? w.create : w.edit}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate();
        }}
      >
        <Stack>
          <TextInput
            label={w.name}
            required
            withAsterisk={false}
            maxLength={60}
            data-autofocus
            value={name}
            error={details.find(({ path }) => path === 'name')?.message}
            onChange={(event) => {
              setName(event.currentTarget.value);
            }}
          />
          <Checkbox.Group label={w.capabilities} value={capabilities} onChange={setCapabilities}>
            <Stack gap="xs" mt="xs">
              {Object.entries(words.capabilities).map(([value, label]) => (
                <Checkbox key={value} value={value} label={label} />
              ))}
            </Stack>
          </Checkbox.Group>
          <FormEnd of={save} submit={role === undefined ? w.createSubmit : words.common.save} close={close} />
        </Stack>
      </form>
    </Modal>
  );
}
