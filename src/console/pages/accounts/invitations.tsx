/** Invites members, and lists the invitations that nobody has accepted yet. */
import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { CreatedInvitation, Invitation, MailState } from '../../../contract/accounts/invitations.ts';
import { call } from '../../client.ts';
import { Person } from '../../components/actor.tsx';
import { Dialog, Done, FormDialog, SecretDialog } from '../../components/dialogs.tsx';
import { Section } from '../../components/page.tsx';
import { useList } from '../../components/queries.ts';
import { deletion, RowActions } from '../../components/row-actions.tsx';
import { DataTable, type Column } from '../../components/table.tsx';
import { Hint, Left, Marked } from '../../components/text.tsx';
import { required, useServerForm } from '../../components/use-server-form.ts';
import { texts } from '../../messages.ts';
import { useSession } from '../../shell/session.ts';
import { RoleSelect } from './member-role.tsx';

const t = texts.members;
const i = texts.invitations;

/** Shows a link once. If the installation sends mail, shows instead whether the mail with the link was sent. */
export function LinkDialog(props: {
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

const emailInput = { type: 'email', autoComplete: 'off', required: true, 'data-autofocus': true } as const;

/** Asks for an email address and a role. Then shows the invitation link once, or whether it was sent by mail. */
export function InviteMember({ close }: { close: () => void }) {
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

/** Lists the invitations that nobody has accepted yet. Renders nothing if there are none. */
export function OpenInvitations() {
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
