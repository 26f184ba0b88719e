/** The second step of a sign-in: asks for a code of the second factor. */
import { Alert, Anchor, Button, TextInput } from '@mantine/core';
import { call, ApiProblem } from '../../client.ts';
import { codeInput } from '../../components/code-input.ts';
import { fieldsWith } from '../../components/form-values.ts';
import { SignedOut } from '../../components/page.tsx';
import { required, useServerForm } from '../../components/use-server-form.ts';
import { texts } from '../../messages.ts';
import { useSessionChanged } from '../../shell/session.ts';

const t = texts.signIn;

/**
 * @param props.done called after the code was accepted, before the console opens
 * @param props.back called to return to the first step of the sign-in; with the error if the sign-in has expired
 */
export function CodeForm(props: { done?: () => void; back: (expired?: Error) => void }) {
  const { done, back } = props;
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
    sent: async () => {
      done?.();
      await changed();
    },
  });
  const { form, trying, submit } = confirming;
  return (
    <SignedOut title={t.codeTitle} lead={t.codeLead} submit={submit}>
      <Failed error={trying.error} />
      <TextInput required autoFocus {...codeInput} {...fieldsWith(t, form.getInputProps)('code')} />
      <Button type="submit" loading={trying.isPending} fullWidth size="md">
        {t.confirm}
      </Button>
      <Anchor component="button" type="button" size="sm" onClick={() => back()}>
        {t.back}
      </Anchor>
    </SignedOut>
  );
}

/** Shows why a sign-in failed; nothing if the error is null. */
export function Failed({ error }: { error: Error | null }) {
  if (error === null) return null;
  return (
    <Alert color="red" title={t.failed} role="alert">
      {error.message}
    </Alert>
  );
}
