/** Connect, and Edit: the address and the token, validated against the gateway before they are kept. */
import { Modal, Stack, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Channel } from '../../contract/channel.ts';
import { ApiProblem, call } from '../client.ts';
import { PasswordField } from '../pieces/password-field.tsx';
import { FormEnd } from '../pieces/form-end.tsx';
import { words } from '../words.ts';

const w = words.channel;

export function ChannelForm(props: {
  path: string;
  /** What is edited; without it a new connection. */
  channel: Channel | undefined;
  changed: (channel: Channel) => void;
  close: () => void;
}) {
  const { path, channel, changed, close } = props;
  const [baseUrl, setBaseUrl] = useState(channel?.base_url ?? '');
  const [token, setToken] = useState('');
  const save = useMutation({
    mutationFn: () =>
      channel === undefined
        ? call<Channel>('PUT', path, { body: { base_url: baseUrl, instance_token: token } })
        : call<Channel>('PATCH', path, {
            body: { base_url: baseUrl, ...(token !== '' && { instance_token: token }) },
          }),
    onSuccess: (answer) => {
      changed(answer);
      if (channel !== undefined) notifications.show({ message: w.saved });
      close();
    },
  });
  const details = save.error instanceof ApiProblem ? save.error.details : [];
  const problem = (field: string) => details.find(({ path: at }) => at === field)?.message;
  return (
    <Modal opened onClose={close} title={channel === undefined ? w.connectTitle : w.editTitle}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate();
        }}
      >
        <Stack>
          <TextInput
            label={w.baseUrl}
            description={w.baseUrlHelp}
            type="url"
            required
            withAsterisk={false}
            data-autofocus
            value={baseUrl}
            error={problem('base_url')}
            onChange={(event) => {
              setBaseUrl(event.currentTarget.value);
            }}
          />
          <PasswordField
            label={w.token}
            description={channel === undefined ? w.tokenHelp : w.tokenEditHelp}
            required={channel === undefined}
            autoComplete="off"
            value={token}
            error={problem('instance_token')}
            onChange={(event) => {
              setToken(event.currentTarget.value);
            }}
          />
          <FormEnd of={save} submit={channel === undefined ? w.validate : w.save} close={close} />
        </Stack>
      </form>
    </Modal>
  );
}
