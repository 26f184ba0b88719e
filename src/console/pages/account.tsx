/** One's own sign-in. */
import { Button, Group, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiProblem, call } from '../client.ts';
import { Page } from '../pieces/page.tsx';
import { PasswordField } from '../pieces/password-field.tsx';
import { useSession } from '../shell/session.ts';
import { Problem } from '../pieces/problem.tsx';
import { words } from '../words.ts';

const w = words.account;

export function Account() {
  const { user, organization, role } = useSession();
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const change = useMutation({
    mutationFn: () => call('POST', '/password', { body: { current_password: current, new_password: next } }),
    onSuccess: () => {
      setCurrent('');
      setNext('');
      notifications.show({ message: w.changed });
    },
  });
  const details = change.error instanceof ApiProblem ? change.error.details : [];
  const problem = (path: string) => details.find((detail) => detail.path === path)?.message;
  const facts = [
    [w.email, user.email],
    [w.organization, organization.name],
    [w.role, role],
  ] as const;
  return (
    <Page title={w.title} lead={w.lead}>
      <div className="panel facts">
        <dl>
          {facts.map(([label, value]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </div>
      <form
        className="panel facts"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          change.mutate();
        }}
      >
        <Stack maw={420}>
          <Text fw={600}>{w.change}</Text>
          <input type="text" name="username" autoComplete="username" value={user.email} readOnly hidden />
          <PasswordField
            label={w.current}
            autoComplete="current-password"
            value={current}
            error={problem('current_password')}
            onChange={(event) => {
              setCurrent(event.currentTarget.value);
            }}
          />
          <PasswordField
            label={w.next}
            description={w.nextHelp}
            autoComplete="new-password"
            value={next}
            error={problem('new_password')}
            onChange={(event) => {
              setNext(event.currentTarget.value);
            }}
          />
          <Problem of={change} />
          <Group>
            <Button type="submit" loading={change.isPending}>
              {w.change}
            </Button>
          </Group>
        </Stack>
      </form>
    </Page>
  );
}
