import { Button, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { call } from '../../client.ts';
import { useLoopbackReceiver } from '../../components/loopback-receiver.ts';
import { Problem } from '../../components/states.tsx';
import { texts } from '../../messages.ts';

const t = texts.webhooks.local;

/**
 * In local mode, a button that allows callbacks to a receiver on this machine, or a text if they are already allowed.
 * Renders nothing in other modes, for URLs of other machines, and for members who may not allow it.
 */
export function AllowLoopback({ url }: { url: string }) {
  const receiver = useLoopbackReceiver(url);
  const allowing = useMutation({
    mutationFn: () => call('POST', '/loopback-receivers', { body: { url } }),
    meta: { refetches: [['loopback-receivers']] },
  });
  if (receiver === undefined) return null;
  const { host, isAllowed } = receiver;
  if (isAllowed) {
    return (
      <Text size="sm" role="status" mt="sm">
        {t.allowed(host)}
      </Text>
    );
  }
  return (
    <Stack gap="xs" align="flex-start" mt="sm">
      <Text size="sm">{t.offer(host)}</Text>
      <Button size="xs" loading={allowing.isPending} onClick={() => allowing.mutate()}>
        {t.allow(host)}
      </Button>
      <Problem of={allowing} />
    </Stack>
  );
}
