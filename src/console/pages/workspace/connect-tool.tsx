/** Connects a workspace, by OAuth 2.0 at the workspace's own page or by an API key. */
import { SegmentedControl, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import type { ToolConnection } from '../../../contract/workspace/tools.ts';
import { call } from '../../client.ts';
import { FormDialog } from '../../components/form-dialog.tsx';
import { PasswordField } from '../../components/password-field.tsx';
import { useServerForm } from '../../components/use-server-form.ts';
import { words } from '../../messages.ts';

const w = words.tools;

export function ConnectTool({ close }: { close: () => void }) {
  const queries = useQueryClient();
  const connecting = useServerForm({
    values: { auth: 'OAUTH2', api_key: '' },
    send: ({ auth, api_key }) =>
      call<ToolConnection>('POST', '/tools/docs/connections', {
        body: { auth, ...(auth === 'API_KEY' && { api_key }) },
      }),
    sent: async ({ authorization_url, notice }) => {
      if (authorization_url !== undefined) {
        window.location.assign(authorization_url);
        return;
      }
      await queries.invalidateQueries({ queryKey: ['connections'] });
      notifications.show({ message: notice ?? w.saved, ...(notice !== undefined && { autoClose: false }) });
      close();
    },
  });
  const { form, forget } = connecting;
  const byOAuth = form.values.auth === 'OAUTH2';
  return (
    <FormDialog
      title={w.connectTitle}
      action={byOAuth ? w.oauthGo : w.apiKeySubmit}
      of={connecting}
      close={close}
    >
      <SegmentedControl
        aria-label={w.how}
        data={[
          { value: 'OAUTH2', label: w.oauth },
          { value: 'API_KEY', label: w.apiKey },
        ]}
        value={form.values.auth}
        onChange={(auth) => {
          form.setFieldValue('auth', auth);
          forget();
        }}
        fullWidth
      />
      {byOAuth ? (
        <Text size="sm" c="dimmed">
          {w.oauthHelp}
        </Text>
      ) : (
        <PasswordField
          label={w.apiKey}
          description={w.apiKeyHelp}
          autoComplete="off"
          {...form.getInputProps('api_key')}
        />
      )}
    </FormDialog>
  );
}
