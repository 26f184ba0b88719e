/** Signs a person in: asks for email and password, then for a code if the account has a second factor. */
import { Alert, Anchor, Button, PasswordInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import { call, ApiProblem } from '../../client.ts';
import { codeInput } from '../../components/code-input.ts';
import { SignedOut } from '../../components/page.tsx';
import { required, useServerForm } from '../../components/use-server-form.ts';
import { texts } from '../../messages.ts';
import { useSessionChanged } from '../../shell/session.ts';

const t = texts.signIn;

export function SignIn() {
  const changed = useSessionChanged();
  const [step, setStep] = useState<{ needsCode: boolean; expired?: Error }>({ needsCode: false });
  const signing = useServerForm({
    values: { email: '', password: '' },
    check: { email: required, password: required },
    send: async (body) => {
      try {
        return await call<{ second_factor: true } | undefined>('POST', '/sign-in', { body });
      } catch (refused) {
        signing.form.setFieldValue('password', '');
        throw refused;
      }
    },
    sent: async (answer) => {
      if (answer === undefined) await changed();
      else setStep({ needsCode: true });
    },
  });
  const { form, trying, submit } = signing;
  if (step.needsCode) {
    return (
      <CodeForm
        back={(expired) => {
          form.setFieldValue('password', '');
          signing.forget();
          setStep({ needsCode: false, ...(expired && { expired }) });
        }}
      />
    );
  }
  return (
    <SignedOut title={t.title} lead={t.lead} submit={submit}>
      <Failed error={trying.error ?? step.expired ?? null} />
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

/** @param props.back returns to the password, with the error if the sign-in has expired */
function CodeForm({ back }: { back: (expired?: Error) => void }) {
  const changed = useSessionChanged();
  const confirming = useServerForm({
    values: { code: '' },
    check: { code: required },
    send: async (body) => {
      try {
        await call('POST', '/sign-in/code', { body });
      } catch (refused) {
        confirming.form.setFieldValue('code', '');
        if (refused instanceof ApiProblem && refused.code === 'invalid_state') back(refused);
        throw refused;
      }
    },
    sent: changed,
  });
  const { form, trying, submit } = confirming;
  return (
    <SignedOut title={t.codeTitle} lead={t.codeLead} submit={submit}>
      <Failed error={trying.error} />
      <TextInput
        required
        autoFocus
        label={t.code}
        description={t.codeHelp}
        {...codeInput}
        {...form.getInputProps('code')}
      />
      <Button type="submit" loading={trying.isPending} fullWidth size="md">
        {t.confirm}
      </Button>
      <Anchor component="button" type="button" size="sm" onClick={() => back()}>
        {t.back}
      </Anchor>
    </SignedOut>
  );
}

function Failed({ error }: { error: Error | null }) {
  if (error === null) return null;
  return (
    <Alert color="red" title={t.failed} role="alert">
      {error.message}
    </Alert>
  );
}
