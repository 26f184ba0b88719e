/**
 * The user's account page: the name, which the user can change, email, organization and role; preferences; password,
 * second factor and linked identity providers; and the sessions.
 */
import {
  Group,
  PasswordInput,
  SegmentedControl,
  Skeleton,
  Stack,
  Switch,
  Text,
  TextInput,
  useMantineColorScheme,
} from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { Account as OwnAccount } from '../../../contract/accounts/second-factor.ts';
import { call } from '../../client.ts';
import { DialogButton, FormDialog } from '../../components/dialogs.tsx';
import { fieldsWith } from '../../components/form-values.ts';
import { LanguageSelect } from '../../components/language-select.tsx';
import { Page, Section } from '../../components/page.tsx';
import { useRead } from '../../components/queries.ts';
import { Row, Rows, SavedRow } from '../../components/rows.tsx';
import { Loaded } from '../../components/states.tsx';
import { useNotifyToggle } from '../../components/use-notify-toggle.ts';
import { required, useServerForm } from '../../components/use-server-form.ts';
import { texts } from '../../messages.ts';
import { colorSchemes } from '../../shell/color-schemes.ts';
import { useCan, useSession } from '../../shell/session.ts';
import { SecondFactor } from './second-factor.tsx';
import { Sessions } from './sessions.tsx';

const t = texts.account;

export function Account() {
  const { user, organization, role, sends_mail } = useSession();
  const isOnCall = useCan()('conversations.view');
  const account = useRead<OwnAccount>(['account'], '/account');
  return (
    <Page title={t.title} lead={t.lead}>
      <Stack gap={32} className="sections-beside">
        <Section title={t.profile} lead={t.profileLead}>
          <Rows>
            <ChangeName key={user.name} name={user.name} />
            <Row name={t.email}>{user.email}</Row>
            <Row name={t.membership}>
              {organization.name} · {role}
            </Row>
          </Rows>
        </Section>
        <Section title={t.preferences} lead={t.preferencesLead}>
          <Rows>
            <Appearance />
            <Row name={texts.nav.language}>
              <LanguageSelect size="sm" />
            </Row>
          </Rows>
        </Section>
        {isOnCall && (
          <Section title={t.notifications} lead={t.notificationsLead}>
            <Rows>
              <Notifications />
              {sends_mail && <WaitingMails isOn={account.data?.mails_waiting} />}
            </Rows>
          </Section>
        )}
        <Section title={t.security} lead={t.securityLead}>
          <Loaded query={account} loading={<Skeleton height={190} radius="lg" />}>
            {(own) => (
              <Rows>
                {own.has_password && <Password email={user.email} />}
                <SecondFactor account={own} />
                {own.providers.length > 0 && <Row name={t.providers}>{own.providers.join(', ')}</Row>}
              </Rows>
            )}
          </Loaded>
        </Section>
        <Sessions />
      </Stack>
    </Page>
  );
}

function ChangeName({ name }: { name: string }) {
  const renaming = useServerForm({
    values: { name },
    check: { name: required },
    send: (body) => call('PATCH', '/account', { body: { name: body.name.trim() } }),
    meta: { done: t.nameSaved, refetches: [['session'], ['members']] },
  });
  const { form } = renaming;
  return (
    <SavedRow
      of={renaming}
      field="own-name"
      name={t.name}
      save={t.saveName}
      isChanged={form.values.name.trim() !== name}
    >
      <TextInput
        id="own-name"
        className="row-field"
        autoComplete="name"
        maxLength={100}
        {...form.getInputProps('name')}
      />
    </SavedRow>
  );
}

function Appearance() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Row name={texts.nav.theme}>
      <SegmentedControl
        aria-label={texts.nav.theme}
        data={colorSchemes.map(({ value, label, icon: Icon }) => ({
          value,
          label: (
            <Group gap={6} wrap="nowrap" justify="center">
              <Icon />
              {label}
            </Group>
          ),
        }))}
        value={colorScheme}
        onChange={(chosen) => {
          const scheme = colorSchemes.find(({ value }) => value === chosen);
          if (scheme !== undefined) setColorScheme(scheme.value);
        }}
      />
    </Row>
  );
}

/** A switch for the notifications that this browser shows. */
function Notifications() {
  const { isOn, problem, toggle } = useNotifyToggle();
  return (
    <Row
      field="own-notifications"
      name={t.notify}
      help={
        <>
          {t.notifyHelp}
          <Text span inherit role="status" display="block" c="var(--mantine-color-error)">
            {problem}
          </Text>
        </>
      }
    >
      <Switch id="own-notifications" checked={isOn} onChange={() => void toggle()} />
    </Row>
  );
}

/**
 * A switch for the emails about conversations that wait for a person.
 * @param props.isOn undefined until it is loaded
 */
function WaitingMails({ isOn }: { isOn: boolean | undefined }) {
  const choosing = useMutation({
    mutationFn: (mails_waiting: boolean) => call('PUT', '/waiting-mails', { body: { mails_waiting } }),
    meta: { refetches: [['account']], notifiesError: true },
  });
  return (
    <Row field="own-waiting-mails" name={t.waitingMails} help={t.waitingMailsHelp}>
      <Switch
        id="own-waiting-mails"
        disabled={isOn === undefined}
        checked={choosing.isPending ? choosing.variables : isOn === true}
        onChange={({ currentTarget }) => choosing.mutate(currentTarget.checked)}
      />
    </Row>
  );
}

function Password({ email }: { email: string }) {
  return (
    <Row name={t.password} help={t.passwordHelp}>
      <DialogButton variant="default" label={t.change}>
        {(close) => <ChangePassword email={email} close={close} />}
      </DialogButton>
    </Row>
  );
}

function ChangePassword({ email, close }: { email: string; close: () => void }) {
  const changing = useServerForm({
    values: { current_password: '', new_password: '' },
    check: { current_password: required, new_password: required },
    send: (body) => call('POST', '/password', { body }),
    meta: { done: t.changed, refetches: [['sessions']] },
    sent: close,
  });
  const field = fieldsWith(t, changing.form.getInputProps);
  return (
    <FormDialog title={t.change} action={t.change} of={changing} close={close}>
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      <PasswordInput
        required
        data-autofocus
        autoComplete="current-password"
        {...field('current', 'current_password')}
      />
      <PasswordInput required autoComplete="new-password" {...field('next', 'new_password')} />
    </FormDialog>
  );
}
