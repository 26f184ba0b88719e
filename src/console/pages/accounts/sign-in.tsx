/** The sign-in page: asks for email and password, then for a code if the account has a second factor. */
import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import { call } from '../../client.ts';
import { fieldsWith } from '../../components/form-values.ts';
import { SignedOut } from '../../components/page.tsx';
import { Hint } from '../../components/text.tsx';
import { required, useServerForm } from '../../components/use-server-form.ts';
import { texts } from '../../messages.ts';
import { useSessionChanged } from '../../shell/session.ts';
import { CodeForm, Failed } from './code-form.tsx';
import { ProviderButtons } from './providers.tsx';

const t = texts.signIn;
/** Of `npm run parley`: prints a link with which the password is chosen. */
const resetCommand = 'npm run parley -- admin reset EMAIL';

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
  const field = fieldsWith(t, form.getInputProps);
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
      <TextInput type="email" required autoComplete="username" {...field('email')} />
      <PasswordInput required autoComplete="current-password" {...field('password')} />
      <Button type="submit" loading={trying.isPending} fullWidth size="md">
        {t.submit}
      </Button>
      <details className="forgotten">
        <summary>{t.forgotten}</summary>
        <Hint size="xs">
          {t.forgottenHelp} <code>{resetCommand}</code>
        </Hint>
      </details>
      <ProviderButtons />
    </SignedOut>
  );
}
