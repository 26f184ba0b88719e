/** How long a human agent's message pauses the agent, and who is alerted when a session is down. */
import { Button, Group, NumberInput, Stack, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { Channel } from '../../../contract/whatsapp/channel.ts';
import { call } from '../../client.ts';
import { Problem } from '../../components/problem.tsx';
import { useServerForm } from '../../components/use-server-form.ts';
import { words } from '../../messages.ts';

const w = words.channel;

export function ChannelSettings(props: {
  channel: Channel;
  path: string;
  changed: (channel: Channel) => void;
}) {
  const { channel, path, changed } = props;
  const values: { pause_minutes: number | string; alert_url: string; alert_after_minutes: number | string } =
    {
      pause_minutes: channel.pause_minutes ?? '',
      alert_url: channel.alert_url ?? '',
      alert_after_minutes: channel.alert_after_minutes ?? '',
    };
  const { form, trying, submit } = useServerForm({
    values,
    send: ({ pause_minutes: pause, alert_url: url, alert_after_minutes: after }) =>
      call<Channel>('PATCH', path, {
        body: {
          alert_url: url.trim() === '' ? null : url.trim(),
          ...(pause !== '' && { pause_minutes: Number(pause) }),
          ...(after !== '' && { alert_after_minutes: Number(after) }),
        },
      }),
    sent: (answer) => {
      changed(answer);
      notifications.show({ message: w.settingsSaved });
    },
  });
  return (
    <form noValidate onSubmit={submit}>
      <Stack mt="md">
        <NumberInput
          label={w.pauseMinutes}
          description={w.pauseMinutesHelp}
          min={1}
          max={43_200}
          allowDecimal={false}
          {...form.getInputProps('pause_minutes')}
        />
        <TextInput
          label={w.alertUrl}
          description={w.alertUrlHelp}
          type="url"
          {...form.getInputProps('alert_url')}
        />
        <NumberInput
          label={w.alertAfter}
          min={1}
          max={1440}
          allowDecimal={false}
          {...form.getInputProps('alert_after_minutes')}
        />
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
