/** Forms for a channel: its connection, its takeovers and alerts, and the limits of the agent's answers. */
import { Alert, NumberInput, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Channel } from '../../../contract/whatsapp/channel.ts';
import { call } from '../../client.ts';
import { FormDialog } from '../../components/dialogs.tsx';
import { Submit } from '../../components/states.tsx';
import { When } from '../../components/text.tsx';
import { fieldsWith, numberOrNull } from '../../components/form-values.ts';
import { required, useServerForm } from '../../components/use-server-form.ts';
import { texts } from '../../messages.ts';

const t = texts.channel;

export interface ChannelPart {
  channel: Channel;
  path: string;
  changed: (channel: Channel) => void;
}

/** Connects or edits a channel. The server tests the address and the token at the gateway before it stores them. */
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
      // If the token field is empty, the body has no token, and the server keeps the stored one.
      const body = { base_url, ...((isNew || instance_token !== '') && { instance_token }) };
      return call<Channel>(isNew ? 'PUT' : 'PATCH', path, { body });
    },
    meta: { done: isNew ? undefined : t.saved },
    sent: (answer) => {
      changed(answer);
      close();
    },
  });
  const field = fieldsWith(t, saving.form.getInputProps);
  return (
    <FormDialog
      title={isNew ? t.connectTitle : t.editTitle}
      action={isNew ? t.validate : t.save}
      of={saving}
      close={close}
    >
      <TextInput type="url" required data-autofocus {...field('baseUrl', 'base_url')} />
      <PasswordInput
        {...field('token', 'instance_token')}
        description={isNew ? t.tokenHelp : t.tokenEditHelp}
        required={isNew}
        autoComplete="off"
      />
    </FormDialog>
  );
}

/**
 * Sets how long a human agent's message pauses the agent, and after how many minutes offline and to which URL Parley
 * sends an alert.
 */
export function ChannelSettings({ channel, path, changed }: ChannelPart) {
  const values: { pause_minutes: number | string; alert_url: string; alert_after_minutes: number | string } =
    {
      pause_minutes: channel.pause_minutes ?? '',
      alert_url: channel.alert_url ?? '',
      alert_after_minutes: channel.alert_after_minutes ?? '',
    };
  const saving = useServerForm({
    values,
    send: ({ pause_minutes: pause, alert_url: url, alert_after_minutes: after }) =>
      call<Channel>('PATCH', path, {
        body: {
          alert_url: url.trim() === '' ? null : url.trim(),
          ...(pause !== '' && { pause_minutes: Number(pause) }),
          ...(after !== '' && { alert_after_minutes: Number(after) }),
        },
      }),
    meta: { done: t.settingsSaved },
    sent: changed,
  });
  const field = fieldsWith(t, saving.form.getInputProps);
  return (
    <SettingsForm of={saving}>
      <NumberInput min={1} max={43_200} allowDecimal={false} {...field('pauseMinutes', 'pause_minutes')} />
      <TextInput type="url" {...field('alertUrl', 'alert_url')} />
      <NumberInput min={1} max={1440} allowDecimal={false} {...field('alertAfter', 'alert_after_minutes')} />
    </SettingsForm>
  );
}

const names = [
  'contact_messages_per_minute',
  'channel_messages_per_minute',
  'contact_answers_per_day',
  'channel_answers_per_day',
  'loop_rounds',
] as const;

/**
 * Sets the maximum messages per minute and answers per day, and after how many very quick replies in a row a contact
 * counts as a bot, which the agent then stops answering.
 */
export function ChannelLimits({ channel, path, changed }: ChannelPart) {
  const values: Record<string, number | string> = Object.fromEntries(
    names.map((name) => [name, channel[name] ?? '']),
  );
  const saving = useServerForm({
    values,
    send: (limits) =>
      call<Channel>('PATCH', path, {
        body: Object.fromEntries(Object.entries(limits).map(([name, limit]) => [name, numberOrNull(limit)])),
      }),
    meta: { done: t.settingsSaved },
    sent: changed,
  });
  return (
    <SettingsForm of={saving}>
      <Text size="sm">{t.limitsHelp}</Text>
      {names.map((name) => (
        <NumberInput
          key={name}
          label={t.limits[name]}
          min={1}
          allowDecimal={false}
          {...saving.form.getInputProps(name)}
        />
      ))}
    </SettingsForm>
  );
}

function SettingsForm(props: {
  of: Pick<ReturnType<typeof useServerForm>, 'submit' | 'trying'>;
  children: ReactNode;
}) {
  const { submit, trying } = props.of;
  return (
    <form noValidate onSubmit={submit}>
      <Stack mt="md">
        {props.children}
        <Submit of={trying} label={t.save} />
      </Stack>
    </form>
  );
}

/** Lists the limits that messages have reached in the last 24 hours. Renders nothing if there are none. */
export function Limited({ limited }: { limited: Channel['limited'] }) {
  if (limited === undefined) return null;
  return (
    <Alert color="orange" title={t.limitedTitle}>
      {limited.map(({ limit, messages, last_at }) => (
        <Text key={limit} size="sm">
          {t.reasons[limit] ?? limit}: {t.limitedMessages(messages)}, <When at={last_at} />
        </Text>
      ))}
    </Alert>
  );
}
