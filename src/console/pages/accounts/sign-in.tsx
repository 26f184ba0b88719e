/** The sign-in page: asks for email and password, then for a code if the account has a second factor. */
import { Anchor, Button, PasswordInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import { call } from '../../client.ts';
import { fieldsWith } from '../../components/form-values.ts';
import { SignedOut } from '../../components/page.tsx';
import { Waiting } from '../../components/states.tsx';
import { Hint } from '../../components/text.tsx';
import { required, useServerForm } from '../../components/use-server-form.ts';
import { lazily } from '../../lazily.tsx';
import { texts } from '../../messages.ts';
import { useSessionChanged } from '../../shell/session.ts';
import { CodeForm, Failed } from './code-form.tsx';
import { ProviderButtons, useSignInOffer } from './providers.tsx';

const t = texts.signIn;
const Forgotten = lazily(() => import('./forgotten.tsx'), 'Forgotten', <Waiting />);
/** Of `npm run parley`: prints a link with which the password is chosen. */
const resetCommand = 'npm run parley -- admin reset EMAIL';

export function SignIn() {
  const changed = useSessionChanged();
  const { data: offer, isError } = useSignInOffer();
  const [isForgotten, setForgotten] = useState(false);
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
  if (isForgotten && offer?.mails_resets === true) {
    return (
      <Forgotten
        email={form.getValues().email}
        back={(email) => {
          form.setFieldValue('email', email);
          setForgotten(false);
        }}
      />
    );
  }
  // Without a mail server, the button shows whom to ask.
  const isHelp = isError || offer?.mails_resets === false;
  return (
    <SignedOut title={t.title} lead={t.lead} submit={submit}>
      <Failed error={trying.error ?? step.expired ?? null} />
      <TextInput type="email" required autoFocus autoComplete="username" {...field('email')} />
      <div className="with-forgotten">
        <PasswordInput required autoComplete="current-password" {...field('password')} />
        <Anchor
          component="button"
          type="button"
          className="forgotten"
          {...(isHelp && { 'aria-expanded': isForgotten })}
          onClick={() => setForgotten(!isForgotten)}
        >
          {t.forgotten}
        </Anchor>
        {isHelp && isForgotten && (
          <Hint size="xs" mt={6}>
            {t.forgottenHelp} <code>{resetCommand}</code>
          </Hint>
        )}
      </div>
      <Button type="submit" loading={trying.isPending} fullWidth size="md">
        {t.submit}
      </Button>
      <ProviderButtons />
    </SignedOut>
  );
}
