import { Button, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { LoopbackReceivers } from '../../../contract/conversations/webhook-endpoints.ts';
import { call } from '../../client.ts';
import { useRead } from '../../components/queries.ts';
import { Problem } from '../../components/states.tsx';
import { texts } from '../../messages.ts';
import { useCan } from '../../shell/session.ts';

const t = texts.webhooks.local;

/**
 * In local mode, a button that allows callbacks to a receiver on this machine, or a text if they are already allowed.
 * Renders nothing in other modes, for URLs of other machines, and for members who may not allow it.
 */
export function AllowLoopback({ url }: { url: string }) {
  const mayAllow = useCan()('webhooks.manage');
  const { data } = useRead<LoopbackReceivers>(['loopback-receivers', url], '/loopback-receivers', {
    query: { url },
    enabled: mayAllow,
  });
  const allowing = useMutation({
    mutationFn: () => call('POST', '/loopback-receivers', { body: { url } }),
    meta: { refetches: [['loopback-receivers']] },
  });
  const host = data?.host;
  if (host === undefined || data?.offered !== true) return null;
  if (data.data.some((one) => one.host === host)) {
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
