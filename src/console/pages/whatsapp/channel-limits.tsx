/** Limits of the agent's answers: messages per minute, answers per day, and when it stops answering another bot. */
import { Alert, Button, Group, NumberInput, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { Channel } from '../../../contract/whatsapp/channel.ts';
import { call } from '../../client.ts';
import { numberOrNull } from '../../components/number-or-null.ts';
import { Problem } from '../../components/problem.tsx';
import { useServerForm } from '../../components/use-server-form.ts';
import { When } from '../../components/when.tsx';
import { words } from '../../messages.ts';

const w = words.channel;
const names = [
  'contact_messages_per_minute',
  'channel_messages_per_minute',
  'contact_answers_per_day',
  'channel_answers_per_day',
  'loop_rounds',
] as const;
type Limits = Record<(typeof names)[number], number | string>;

export function ChannelLimits(props: {
  channel: Channel;
  path: string;
  changed: (channel: Channel) => void;
}) {
  const { channel, path, changed } = props;
  const values: Limits = {
    contact_messages_per_minute: channel.contact_messages_per_minute ?? '',
    channel_messages_per_minute: channel.channel_messages_per_minute ?? '',
    contact_answers_per_day: channel.contact_answers_per_day ?? '',
    channel_answers_per_day: channel.channel_answers_per_day ?? '',
    loop_rounds: channel.loop_rounds ?? '',
  };
  const { form, trying, submit } = useServerForm({
    values,
    send: (limits) =>
      call<Channel>('PATCH', path, {
        body: Object.fromEntries(names.map((name) => [name, numberOrNull(limits[name])])),
      }),
    sent: (answer) => {
      changed(answer);
      notifications.show({ message: w.settingsSaved });
    },
  });
  return (
    <form noValidate onSubmit={submit}>
      <Stack mt="md">
        <Text size="sm">{w.limitsHelp}</Text>
        {names.map((name) => (
          <NumberInput
            key={name}
            label={w.limits[name]}
            min={1}
            allowDecimal={false}
            {...form.getInputProps(name)}
          />
        ))}
        <Problem of={trying} />
        <Group justify="flex-end">
          <Button type="submit" loading={trying.isPending}>
            {w.save}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Renders nothing if no limit acted. */
export function Limited({ limited }: { limited: Channel['limited'] }) {
  if (limited === undefined) return null;
  return (
    <Alert color="orange" title={w.limitedTitle}>
      {limited.map(({ limit, messages, last_at }) => (
        <Text key={limit} size="sm">
          {w.reasons[limit] ?? limit}: {w.limitedMessages(messages)}, <When at={last_at} />
        </Text>
      ))}
    </Alert>
  );
}
