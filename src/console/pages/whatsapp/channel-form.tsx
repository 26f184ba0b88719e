/** Connects or edits a channel: the gateway validates address and token before they are stored. */
import { TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { Channel } from '../../../contract/whatsapp/channel.ts';
import { call } from '../../client.ts';
import { FormDialog } from '../../components/form-dialog.tsx';
import { PasswordField } from '../../components/password-field.tsx';
import { required, useServerForm } from '../../components/use-server-form.ts';
import { words } from '../../messages.ts';

const w = words.channel;

export function ChannelForm(props: {
  path: string;
  /** The channel to edit; undefined to connect a new one. */
  channel: Channel | undefined;
  changed: (channel: Channel) => void;
  close: () => void;
}) {
  const { path, channel, changed, close } = props;
  const isNew = channel === undefined;
  const saving = useServerForm({
    values: { base_url: channel?.base_url ?? '', instance_token: '' },
    check: { base_url: required, ...(isNew && { instance_token: required }) },
    send: ({ base_url, instance_token }) => {
      // If the token is omitted, the stored one stays.
      const body = { base_url, ...((isNew || instance_token !== '') && { instance_token }) };
      return call<Channel>(isNew ? 'PUT' : 'PATCH', path, { body });
    },
    sent: (answer) => {
      changed(answer);
      if (!isNew) notifications.show({ message: w.saved });
      close();
    },
  });
  const { form } = saving;
  return (
    <FormDialog
      title={isNew ? w.connectTitle : w.editTitle}
      action={isNew ? w.validate : w.save}
      of={saving}
      close={close}
    >
      <TextInput
        label={w.baseUrl}
        description={w.baseUrlHelp}
        type="url"
        required
        withAsterisk={false}
        data-autofocus
        {...form.getInputProps('base_url')}
      />
      <PasswordField
        label={w.token}
        description={isNew ? w.tokenHelp : w.tokenEditHelp}
        required={isNew}
        autoComplete="off"
        {...form.getInputProps('instance_token')}
      />
    </FormDialog>
  );
}
