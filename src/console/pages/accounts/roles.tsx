/** The page of the organization's roles: lists all roles, and creates, edits and deletes custom ones. */
import { Checkbox, Stack, TextInput } from '@mantine/core';
import type { Role } from '../../../contract/accounts/members.ts';
import { call } from '../../client.ts';
import { DialogButton, FormDialog } from '../../components/dialogs.tsx';
import { IconPlus } from '../../components/icons.tsx';
import { Page } from '../../components/page.tsx';
import { useRoles } from '../../components/queries.ts';
import { deletion, RowActions } from '../../components/row-actions.tsx';
import { QueryTable, type Column } from '../../components/table.tsx';
import { Marked } from '../../components/text.tsx';
import { required, useServerForm } from '../../components/use-server-form.ts';
import { countText } from '../../components/format.ts';
import { texts } from '../../messages.ts';

const t = texts.roles;

const columns: readonly Column<Role>[] = [
  {
    label: t.columns.name,
    render: ({ name, built_in }) => <Marked name={name} mark={built_in && t.builtIn} />,
  },
  {
    label: t.columns.capabilities,
    render: ({ built_in, capabilities }) =>
      built_in ? t.every : capabilities.map((one) => texts.capabilities[one]).join(', ') || t.none,
  },
  { label: t.columns.members, render: ({ members }) => countText(members), isFigure: true },
];

export function Roles() {
  const roles = useRoles();
  return (
    <Page
      title={t.title}
      lead={t.lead}
      actions={
        <DialogButton leftSection={<IconPlus />} label={t.create}>
          {(close) => <EditRole close={close} />}
        </DialogButton>
      }
    >
      <QueryTable
        query={roles}
        label={t.table}
        columns={columns}
        actions={(role) =>
          !role.built_in && (
            <RowActions
              name={role.name}
              actions={[
                { label: t.edit, dialog: (close) => <EditRole role={role} close={close} /> },
                deletion({ ...t.delete(role.name), path: `/roles/${role.id}`, query: 'roles' }),
              ]}
            />
          )
        }
      />
    </Page>
  );
}

function EditRole({ role, close }: { role?: Role; close: () => void }) {
  const values: { name: string; capabilities: string[] } = {
    name: role?.name ?? '',
    capabilities: role?.capabilities ?? [],
  };
  const saving = useServerForm({
    values,
    check: { name: required },
    send: (body) =>
      role === undefined ? call('POST', '/roles', { body }) : call('PATCH', `/roles/${role.id}`, { body }),
    meta: { refetches: [['roles']], done: t.saved },
    sent: close,
  });
  const { form } = saving;
  return (
    <FormDialog
      title={role === undefined ? t.create : t.edit}
      action={role === undefined ? t.createSubmit : texts.common.save}
      of={saving}
      close={close}
    >
      <TextInput label={t.name} required maxLength={60} data-autofocus {...form.getInputProps('name')} />
      <Checkbox.Group label={t.capabilities} {...form.getInputProps('capabilities')}>
        <Stack gap="xs" mt="xs">
          {Object.entries(texts.capabilities).map(([value, label]) => (
            <Checkbox key={value} value={value} label={label} />
          ))}
        </Stack>
      </Checkbox.Group>
    </FormDialog>
  );
}
