/** Shows the user's email, organization and role, and changes their password. */
import { Button, Group, PasswordInput, Stack, Text } from '@mantine/core';
import { call } from '../../client.ts';
import { Page } from '../../components/page.tsx';
import { Problem } from '../../components/states.tsx';
import { Facts } from '../../components/text.tsx';
import { required, useServerForm } from '../../components/use-server-form.ts';
import { words } from '../../messages.ts';
import { useSession } from '../../shell/session.ts';

const w = words.account;

export function Account() {
  const { user, organization, role } = useSession();
  const changing = useServerForm({
    values: { current_password: '', new_password: '' },
    check: { current_password: required, new_password: required },
    send: (body) => call('POST', '/password', { body }),
    meta: { done: w.changed },
    sent: () => {
      changing.form.reset();
    },
  });
  const { form, trying, submit } = changing;
  return (
    <Page title={w.title} lead={w.lead}>
      <div className="panel facts">
        <Facts
          facts={[
            [w.email, user.email],
            [w.organization, organization.name],
            [w.role, role],
          ]}
        />
      </div>
      <form className="panel facts" noValidate onSubmit={submit}>
        <Stack maw={420}>
          <Text component="h2" fw={600}>
            {w.change}
          </Text>
          <input type="text" name="username" autoComplete="username" value={user.email} readOnly hidden />
          <PasswordInput
            required
            label={w.current}
            autoComplete="current-password"
            {...form.getInputProps('current_password')}
          />
          <PasswordInput
            required
            label={w.next}
            description={w.nextHelp}
            autoComplete="new-password"
            {...form.getInputProps('new_password')}
          />
          <Problem of={trying} />
          <Group>
            <Button type="submit" loading={trying.isPending}>
              {w.change}
            </Button>
          </Group>
        </Stack>
      </form>
    </Page>
  );
}
