/** The forms of a connected channel: takeovers and alerts, and the limits of messages and answers. */
import { Alert, NumberInput, Stack, Text, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Channel } from '../../../contract/whatsapp/channel.ts';
import { call } from '../../client.ts';
import { Submit } from '../../components/states.tsx';
import { When } from '../../components/text.tsx';
import { fieldsWith, numberOrNull } from '../../components/form-values.ts';
import { useServerForm } from '../../components/use-server-form.ts';
import { texts } from '../../messages.ts';

const t = texts.channel;

export interface ChannelPart {
  channel: Channel;
  path: string;
  changed: (channel: Channel) => void;
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

/** @returns how many of its limits the channel has */
export const limitsOf = (channel: Channel): number => names.filter((name) => channel[name] != null).length;

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
