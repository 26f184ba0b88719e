/** Connects or edits a channel: the gateway validates address and token before they are stored. */
import { PasswordInput, TextInput } from '@mantine/core';
import type { Channel } from '../../../contract/whatsapp/channel.ts';
import { call } from '../../client.ts';
import { FormDialog } from '../../components/dialogs.tsx';
import { required, useServerForm } from '../../components/use-server-form.ts';
import { words } from '../../messages.ts';
import type { ChannelPart } from './channel-settings.tsx';

const w = words.channel;

export function ChannelForm(
  props: Omit<ChannelPart, 'channel'> & {
    /** The channel to edit; undefined to connect a new one. */
    channel: Channel | undefined;
    close: () => void;
  },
) {
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
    meta: { done: isNew ? undefined : w.saved },
    sent: (answer) => {
      changed(answer);
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
        data-autofocus
        {...form.getInputProps('base_url')}
      />
      <PasswordInput
        label={w.token}
        description={isNew ? w.tokenHelp : w.tokenEditHelp}
        required={isNew}
        autoComplete="off"
        {...form.getInputProps('instance_token')}
      />
    </FormDialog>
  );
}
