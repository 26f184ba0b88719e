/**
 * Helps to set up the webhook at the gateway: shows its URL, steps and settings, compares the settings with those at
 * the gateway or sets them, and runs the final check.
 */
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { z } from 'zod';
import type { Channel, webhookCheck } from '../../../contract/whatsapp/channel.ts';
import { call } from '../../client.ts';
import { Copy } from '../../components/copy.tsx';
import { Problem } from '../../components/states.tsx';
import { DataTable, type Column } from '../../components/table.tsx';
import { Label } from '../../components/text.tsx';
import { texts } from '../../messages.ts';
import type { ChannelPart } from './channel-forms.tsx';

const t = texts.channel;
type Check = z.infer<typeof webhookCheck>;

export function ChannelSetup({ channel, path, changed }: ChannelPart) {
  const { setup, webhook_url, state, last_error } = channel;
  const [check, setCheck] = useState<Check>();
  const compare = useMutation({
    mutationFn: (method: 'GET' | 'POST') => call<Check>(method, `${path}/webhook`),
    meta: { refetches: [['channel']] },
    onSuccess: setCheck,
  });
  const verify = useMutation({
    mutationFn: () => call<Channel>('POST', `${path}/verify`),
    onSuccess: changed,
  });
  const problem = verify.error?.message ?? (verify.isSuccess ? last_error?.message : undefined);
  return (
    <Stack mt={state === 'connected' ? 'md' : 0}>
      {state === 'awaiting_webhook' && (
        <Text component="h3" fw={600}>
          {t.setupTitle}
        </Text>
      )}
      {webhook_url !== undefined && (
        <div>
          <Label size="sm" mb={4}>
            {t.webhookUrl}
          </Label>
          <Group gap="sm">
            <span className="mono" data-webhook-url>
              {webhook_url}
            </span>
            <Copy text={webhook_url} label={t.copyUrl} />
          </Group>
        </div>
      )}
      {setup && (
        <>
          <ol className="setup-steps" aria-label={t.steps}>
            {setup.steps.map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ol>
          <Settings settings={setup.settings} check={check} />
        </>
      )}
      <Group gap="sm">
        <Button variant="default" size="xs" loading={compare.isPending} onClick={() => compare.mutate('GET')}>
          {t.compare}
        </Button>
        <Button
          variant="default"
          size="xs"
          loading={compare.isPending}
          onClick={() => compare.mutate('POST')}
        >
          {t.setForMe}
        </Button>
      </Group>
      <Problem of={compare} />
      {check && (
        <Alert color={check.matches ? 'green' : 'yellow'} role="status">
          {check.matches ? t.matches : t.differs}
          {check.differences.map(({ setting, expected, actual }) => (
            <Text
              key={setting}
              size="sm"
              className="plain-text"
            >{`${setting}: ${actual} → ${expected}`}</Text>
          ))}
        </Alert>
      )}
      {state === 'awaiting_webhook' && (
        <>
          {problem !== undefined && (
            <Alert color="red" title={t.verifyFailed} role="alert">
              <Text size="sm" mb="sm">
                {problem}
              </Text>
              <Button variant="default" size="xs" loading={verify.isPending} onClick={() => verify.mutate()}>
                {t.checkAgain}
              </Button>
            </Alert>
          )}
          <Group>
            <Button loading={verify.isPending} onClick={() => verify.mutate()}>
              {t.configured}
            </Button>
          </Group>
        </>
      )}
    </Stack>
  );
}

type SetupSettings = NonNullable<Channel['setup']>['settings'];

function Settings({ settings, check }: { settings: SetupSettings; check: Check | undefined }) {
  const shown = (value: SetupSettings[keyof SetupSettings]) =>
    typeof value === 'boolean'
      ? value
        ? t.on
        : t.off
      : typeof value === 'string'
        ? value
        : value.join(', ');
  const actualOf = (name: string) =>
    check?.differences.find(({ setting }) => setting === name)?.actual ?? t.right;
  const rows = Object.entries(settings).map(([name, value]) => ({ name, value: shown(value) }));
  const columns: Column<(typeof rows)[number]>[] = [
    { label: t.setting, render: ({ name }) => <span className="mono short">{name}</span> },
    { label: t.value, render: ({ value }) => value },
    ...(check ? [{ label: t.atGateway, render: ({ name }: { name: string }) => actualOf(name) }] : []),
  ];
  return <DataTable label={t.settings} rows={rows} rowKey={({ name }) => name} columns={columns} />;
}
