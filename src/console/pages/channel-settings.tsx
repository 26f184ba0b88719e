/** How long a person's word holds the agent back, and who is told of a session that is down. */
import { Button, Group, NumberInput, Stack, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Channel } from '../../contract/channel.ts';
import { call } from '../client.ts';
import { Problem } from '../pieces/problem.tsx';
import { words } from '../words.ts';

const w = words.channel;

export function ChannelSettings(props: {
  channel: Channel;
  path: string;
  changed: (channel: Channel) => void;
}) {
  const { channel, path, changed } = props;
  const [pause, setPause] = useState<number | string>(channel.pause_minutes ?? '');
  const [url, setUrl] = useState(channel.alert_url ?? '');
  const [after, setAfter] = useState<number | string>(channel.alert_after_minutes ?? '');
  const save = useMutation({
    mutationFn: () =>
      call<Channel>('PATCH', path, {
        body: {
          alert_url: url.trim() === '' ? null : url.trim(),
          ...(pause !== '' && { pause_minutes: Number(pause) }),
          ...(after !== '' && { alert_after_minutes: Number(after) }),
        },
      }),
    onSuccess: (answer) => {
      changed(answer);
      notifications.show({ message: w.settingsSaved });
    },
  });
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      <Stack mt="md">
        <NumberInput
          label={w.pauseMinutes}
          description={w.pauseMinutesHelp}
          min={1}
          max={43_200}
          allowDecimal={false}
          value={pause}
          onChange={setPause}
        />
        <TextInput
          label={w.alertUrl}
          description={w.alertUrlHelp}
          type="url"
          value={url}
          onChange={(event) => {
            setUrl(event.currentTarget.value);
          }}
        />
        <NumberInput
          label={w.alertAfter}
          min={1}
          max={1440}
          allowDecimal={false}
          value={after}
          onChange={setAfter}
        />
        <Problem of={save} />
        <Group justify="flex-end">
          <Button type="submit" loading={save.isPending}>
            {w.save}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
