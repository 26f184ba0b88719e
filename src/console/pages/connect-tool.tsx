/** Connect by OAuth 2.0 at the workspace's own page, or by an API key. */
import { Modal, SegmentedControl, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ToolConnection } from '../../contract/tools.ts';
import { call } from '../client.ts';
import { PasswordField } from '../pieces/password-field.tsx';
import { FormEnd } from '../pieces/form-end.tsx';
import { words } from '../words.ts';

const w = words.tools;

export function ConnectTool({ close }: { close: () => void }) {
  const queries = useQueryClient();
  const [how, setHow] = useState('OAUTH2');
  const [key, setKey] = useState('');
  const connect = useMutation({
    mutationFn: () =>
      call<ToolConnection>('POST', '/tools/docs/connections', {
        body: how === 'API_KEY' ? { auth: 'API_KEY', api_key: key } : { auth: 'OAUTH2' },
      }),
    onSuccess: async ({ authorization_url, notice }) => {
      if (authorization_url !== undefined) {
        window.location.assign(authorization_url);
        return;
      }
      await queries.invalidateQueries({ queryKey: ['connections'] });
      notifications.show({ message: notice ?? w.saved, ...(notice !== undefined && { autoClose: false }) });
      close();
    },
  });
  const choose = (value: string) => {
    setHow(value);
    connect.reset();
  };
  return (
    <Modal opened onClose={close} title={w.connectTitle}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          connect.mutate();
        }}
      >
        <Stack>
          <SegmentedControl
            aria-label={w.how}
            data={[
              { value: 'OAUTH2', label: w.oauth },
              { value: 'API_KEY', label: w.apiKey },
            ]}
            value={how}
            onChange={choose}
            fullWidth
          />
          {how === 'OAUTH2' ? (
            <Text size="sm" c="dimmed">
              {w.oauthHelp}
            </Text>
          ) : (
            <PasswordField
              label={w.apiKey}
              description={w.apiKeyHelp}
              autoComplete="off"
              value={key}
              onChange={(event) => {
                setKey(event.currentTarget.value);
              }}
            />
          )}
          <FormEnd of={connect} submit={how === 'OAUTH2' ? w.oauthGo : w.apiKeySubmit} close={close} />
        </Stack>
      </form>
    </Modal>
  );
}
