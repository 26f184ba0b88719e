/** The page of the organization's roles: lists all roles, and creates, edits and deletes custom ones. */
import { Anchor, Badge, Checkbox, Group, Stack, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Role } from '../../../contract/accounts/members.ts';
import { call } from '../../client.ts';
import { DialogButton, FormDialog } from '../../components/dialogs.tsx';
import { IconPlus } from '../../components/icons.tsx';
import { Page } from '../../components/page.tsx';
import { useRoles } from '../../components/queries.ts';
import { deletion, RowActions } from '../../components/row-actions.tsx';
import { QueryTable, type Column } from '../../components/table.tsx';
import { Hint, Nothing, TextLink } from '../../components/text.tsx';
import { required, useServerForm } from '../../components/use-server-form.ts';
import { countText } from '../../components/format.ts';
import { texts } from '../../messages.ts';
import { useMayOpen } from '../../shell/may-open.ts';
import { rightsOf } from './role-rights.ts';

const t = texts.roles;

/** Lists what a role can do, or the names of what it can see. */
function Capabilities({ of: role, areViews }: { of: Role; areViews: boolean }) {
  if (role.built_in) return <Hint>{t.every}</Hint>;
  const shown = rightsOf(role, areViews);
  if (shown.length === 0) return <Nothing />;
  return (
    <ul className="tags">
      {shown.map((one) => (
        <Badge key={one} component="li" color="gray">
          {one}
        </Badge>
      ))}
    </ul>
  );
}

/** The name of a custom role opens its form. */
function Name({ role }: { role: Role }) {
  const [isOpen, editing] = useDisclosure(false);
  if (role.built_in)
    return (
      <Group gap={8} wrap="nowrap">
        {role.name}
        <Badge color="gray">{t.builtIn}</Badge>
      </Group>
    );
  return (
    <>
      <Anchor component="button" type="button" className="row-link" inherit onClick={editing.open}>
        {role.name}
      </Anchor>
      {isOpen && <EditRole role={role} close={editing.close} />}
    </>
  );
}

/** Shows how many members have a role, with a link to the members unless there are none or the user may not open them. */
function Members({ count, label }: { count: number; label: string }) {
  const value = countText(count);
  const mayOpen = useMayOpen();
  if (count === 0 || !mayOpen('/members')) return value;
  return (
    <TextLink to="/members" aria-label={label}>
      {value}
    </TextLink>
  );
}

const columns: readonly Column<Role>[] = [
  { label: t.columns.name, render: (role) => <Name role={role} /> },
  {
    label: t.columns.changes,
    isBelowName: true,
    before: t.columns.changes,
    render: (role) => <Capabilities of={role} areViews={false} />,
  },
  {
    label: t.columns.views,
    isBelowName: true,
    before: t.columns.views,
    isMinor: (role) => role.built_in,
    render: (role) => <Capabilities of={role} areViews />,
  },
  {
    label: t.columns.members,
    isFigure: true,
    render: ({ name, members }) => <Members count={members} label={t.membersOf(members, name)} />,
  },
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
              buttons={0}
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
