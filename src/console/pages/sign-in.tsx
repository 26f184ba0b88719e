import { Alert, Button, Paper, Stack, Text, TextInput, Title } from '@mantine/core';
import { useState, type SyntheticEvent } from 'react';
import { ApiProblem, call } from '../client.ts';
import { PasswordField } from '../pieces/password-field.tsx';
import { usePageTitle } from '../pieces/use-page-title.ts';
import { useSessionChanged } from '../shell/session.ts';
import { words } from '../words.ts';

const w = words.signIn;

export function SignIn() {
  usePageTitle(w.title);
  const changed = useSessionChanged();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);

  const submit = async (event: SyntheticEvent) => {
    event.preventDefault();
    setBusy(true);
    setProblem(undefined);
    try {
      await call('POST', '/sign-in', { body: { email, password } });
      await changed();
    } catch (error) {
      setProblem(error instanceof ApiProblem ? error.message : words.common.couldNotLoad);
      setPassword('');
    } finally {
      setBusy(false);
    }
  };

  return (
    <main className="signed-out">
      <Paper className="panel" p={{ base: 24, xs: 36 }} w="100%" maw={420} shadow="md">
        <form onSubmit={(event) => void submit(event)}>
          <Stack gap="lg">
            <div>
              <img src="/favicon.svg" width={44} height={44} alt="" />
              <Title order={1} size="h2" mt="sm">
                {w.title}
              </Title>
              <Text c="dimmed" size="sm" mt={4}>
                {w.lead}
              </Text>
            </div>
            {problem !== undefined && (
              <Alert color="red" title={w.failed} role="alert">
                {problem}
              </Alert>
            )}
            <TextInput
              label={w.email}
              type="email"
              autoComplete="username"
              required
              withAsterisk={false}
              value={email}
              onChange={(event) => {
                setEmail(event.currentTarget.value);
              }}
            />
            <PasswordField
              label={w.password}
              autoComplete="current-password"
              value={password}
              onChange={(event) => {
                setPassword(event.currentTarget.value);
              }}
            />
            <Button type="submit" loading={busy} fullWidth size="md">
              {w.submit}
            </Button>
          </Stack>
        </form>
      </Paper>
    </main>
  );
}
