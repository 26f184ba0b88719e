import { Alert, Button, PasswordInput, TextInput } from '@mantine/core';
import { call } from '../../client.ts';
import { SignedOut } from '../../components/page.tsx';
import { required, useServerForm } from '../../components/use-server-form.ts';
import { texts } from '../../messages.ts';
import { useSessionChanged } from '../../shell/session.ts';

const t = texts.signIn;

export function SignIn() {
  const changed = useSessionChanged();
  const signing = useServerForm({
    values: { email: '', password: '' },
    check: { email: required, password: required },
    send: async (body) => {
      try {
        await call('POST', '/sign-in', { body });
      } catch (refused) {
        signing.form.setFieldValue('password', '');
        throw refused;
      }
    },
    sent: changed,
  });
  const { form, trying, submit } = signing;
  return (
    <SignedOut title={t.title} lead={t.lead} submit={submit}>
      {trying.error !== null && (
        <Alert color="red" title={t.failed} role="alert">
          {trying.error.message}
        </Alert>
      )}
      <TextInput
        type="email"
        required
        label={t.email}
        autoComplete="username"
        {...form.getInputProps('email')}
      />
      <PasswordInput
        required
        label={t.password}
        autoComplete="current-password"
        {...form.getInputProps('password')}
      />
      <Button type="submit" loading={trying.isPending} fullWidth size="md">
        {t.submit}
      </Button>
    </SignedOut>
  );
}
