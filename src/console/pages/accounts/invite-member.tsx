/** Asks for an email and a role, then shows the invitation link once. */
import { Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import type { CreatedInvitation } from '../../../contract/accounts/invitations.ts';
import { call } from '../../client.ts';
import { EmailField } from '../../components/email-field.tsx';
import { FormDialog } from '../../components/form-dialog.tsx';
import { SecretDialog } from '../../components/secret-dialog.tsx';
import { required, useServerForm } from '../../components/use-server-form.ts';
import { words } from '../../messages.ts';
import { RoleField } from './role-field.tsx';

const w = words.invitations;

export function InviteMember({ close }: { close: () => void }) {
  const queries = useQueryClient();
  const inviting = useServerForm({
    values: { email: '', role_id: '' },
    check: { email: required, role_id: required },
    send: ({ email, role_id }) =>
      call<CreatedInvitation>('POST', '/invitations', { body: { email: email.trim(), role_id } }),
    sent: () => queries.invalidateQueries({ queryKey: ['invitations'] }),
    secret: true,
  });
  const made = inviting.answer;
  if (made !== undefined) {
    return (
      <SecretDialog
        title={w.linkTitle}
        lead={w.linkLead}
        label={w.linkLabel}
        secret={made.link}
        copyLabel={w.copyLink}
        close={close}
      />
    );
  }
  return (
    <FormDialog title={w.invite} action={w.inviteSubmit} of={inviting} close={close}>
      <Text size="sm" c="dimmed">
        {w.inviteHelp}
      </Text>
      <EmailField label={words.members.email} data-autofocus {...inviting.form.getInputProps('email')} />
      <RoleField {...inviting.form.getInputProps('role_id')} />
    </FormDialog>
  );
}
