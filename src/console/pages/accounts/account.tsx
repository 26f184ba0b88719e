/**
 * The user's account page: shows the email, organization, role and linked identity providers, and changes the password
 * and the second factor.
 */
import { PasswordInput, Stack, Switch, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { Account as OwnAccount } from '../../../contract/accounts/second-factor.ts';
import { call } from '../../client.ts';
import { fieldsWith } from '../../components/form-values.ts';
import { Page } from '../../components/page.tsx';
import { useRead } from '../../components/queries.ts';
import { Loaded, Submit } from '../../components/states.tsx';
import { Facts } from '../../components/text.tsx';
import { required, useServerForm } from '../../components/use-server-form.ts';
import { texts } from '../../messages.ts';
import { useCan, useSession } from '../../shell/session.ts';
import { SecondFactor } from './second-factor.tsx';

const t = texts.account;

export function Account() {
  const { user, organization, role, sends_mail } = useSession();
  const can = useCan();
  const account = useRead<OwnAccount>(['account'], '/account');
  return (
    <Page title={t.title} lead={t.lead}>
      <Stack gap="lg" maw={720}>
        <div className="panel facts in-columns">
          <Facts
            facts={[
              !user.email.startsWith(`${user.name}@`) && [t.name, user.name],
              [t.email, user.email],
              [t.organization, organization.name],
              [t.role, role],
            ]}
          />
        </div>
        <Loaded query={account}>
          {(own) => (
            <>
              {own.providers.length > 0 && (
                <div className="panel facts">
                  <Facts facts={[[t.providers, own.providers.join(', ')]]} />
                </div>
              )}
              {sends_mail && can('conversations.view') && <WaitingMails isOn={own.mails_waiting} />}
              <SecondFactor account={own} />
              {own.has_password && <ChangePassword email={user.email} />}
            </>
          )}
        </Loaded>
      </Stack>
    </Page>
  );
}

/** A switch for the emails about conversations that wait for a person. */
function WaitingMails({ isOn }: { isOn: boolean }) {
  const choosing = useMutation({
    mutationFn: (mails_waiting: boolean) => call('PUT', '/waiting-mails', { body: { mails_waiting } }),
    meta: { refetches: [['account']], notifiesError: true },
  });
  return (
    <div className="panel facts">
      <Switch
        label={t.waitingMails}
        description={t.waitingMailsHelp}
        checked={choosing.isPending ? choosing.variables : isOn}
        onChange={({ currentTarget }) => choosing.mutate(currentTarget.checked)}
      />
    </div>
  );
}

function ChangePassword({ email }: { email: string }) {
  const changing = useServerForm({
    values: { current_password: '', new_password: '' },
    check: { current_password: required, new_password: required },
    send: (body) => call('POST', '/password', { body }),
    meta: { done: t.changed },
    sent: () => {
      changing.form.reset();
    },
  });
  const { form, trying, submit } = changing;
  const field = fieldsWith(t, form.getInputProps);
  return (
    <form className="panel facts" noValidate onSubmit={submit}>
      <Stack maw={420}>
        <Text component="h2" fw={600}>
          {t.change}
        </Text>
        <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
        <PasswordInput required autoComplete="current-password" {...field('current', 'current_password')} />
        <PasswordInput required autoComplete="new-password" {...field('next', 'new_password')} />
        <Submit of={trying} label={t.change} />
      </Stack>
    </form>
  );
}
