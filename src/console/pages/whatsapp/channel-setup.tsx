/**
 * The second screen of connecting a number: lets Parley set up the webhook at the gateway, or shows how to do it by
 * hand. A connected channel also shows the manual steps.
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
import { Hint, Label, Multiline } from '../../components/text.tsx';
import { texts } from '../../messages.ts';
import type { ChannelPart } from './channel-forms.tsx';
import { numberInUse, Screen, TakeOver } from './connect-screens.tsx';

const t = texts.channel;
type Check = z.infer<typeof webhookCheck>;
/**
 * The user's request. `sets`: true if Parley sets the webhook before it checks the session. `takesOver`: true after the
 * user has confirmed that the number moves to this agent; the webhook is then not set again.
 */
interface Asked {
  sets: boolean;
  takesOver?: true;
}

/** The second screen. Leads to the third once the session at the gateway is connected. */
export function WebhookScreen({ channel, path, changed, hasFocus }: ChannelPart & { hasFocus: boolean }) {
  const [check, setCheck] = useState<Check>();
  const connecting = useMutation({
    mutationFn: async ({ sets, takesOver }: Asked) => {
      if (sets && takesOver !== true) {
        const found = await call<Check>('POST', `${path}/webhook`);
        setCheck(found);
        if (!found.matches) return undefined;
      }
      const query = takesOver === true ? { take_over: 'true' } : {};
      return await call<Channel>('POST', `${path}/verify`, { query });
    },
    onSuccess: (verified) => {
      if (verified !== undefined) changed(verified);
    },
  });
  const { error, data, variables, isPending } = connecting;
  const inUse = numberInUse(error);
  // Uses the response to this call, because the page reads the channel again and may show a later state.
  const problem =
    error?.message ?? (data?.state === 'awaiting_webhook' ? data.last_error?.message : undefined);
  const again: Asked = { sets: variables?.sets === true && data === undefined };
  return (
    <Screen at={2} hasFocus={hasFocus}>
      <Hint>{t.setupLead}</Hint>
      <Group>
        <Button loading={isPending} onClick={() => connecting.mutate({ sets: true })}>
          {t.setForMe}
        </Button>
      </Group>
      {inUse && (
        <TakeOver
          problem={inUse}
          yes={() => connecting.mutate({ sets: variables?.sets === true, takesOver: true })}
          no={() => connecting.reset()}
          doing={{ error: null, isPending }}
        />
      )}
      {!inUse && problem !== undefined && (
        <Alert color="red" title={t.verifyFailed} role="alert">
          <Text size="sm" mb="sm">
            {problem}
          </Text>
          <Button variant="default" size="xs" loading={isPending} onClick={() => connecting.mutate(again)}>
            {t.checkAgain}
          </Button>
        </Alert>
      )}
      {check && !check.matches && <Differences check={check} />}
      <WebhookUrl url={channel.webhook_url} />
      <details className="by-hand">
        <summary>{t.byHand}</summary>
        <Manual {...{ channel, path, check, setCheck }} />
      </details>
      <Group>
        <Button variant="default" loading={isPending} onClick={() => connecting.mutate({ sets: false })}>
          {t.configured}
        </Button>
      </Group>
    </Screen>
  );
}

/** The webhook of a connected channel: its URL, the steps by hand, and a comparison with the gateway. */
export function ChannelSetup({ channel, path }: Omit<ChannelPart, 'changed'>) {
  const [check, setCheck] = useState<Check>();
  return (
    <>
      <WebhookUrl url={channel.webhook_url} />
      <Manual {...{ channel, path, check, setCheck }} />
      {check && <Differences check={check} />}
    </>
  );
}

function WebhookUrl({ url }: { url: string | undefined }) {
  if (url === undefined) return null;
  return (
    <div>
      <Label size="sm" mb={4}>
        {t.webhookUrl}
      </Label>
      <Group gap="sm">
        <span className="mono" data-webhook-url>
          {url}
        </span>
        <Copy text={url} label={t.copyUrl} />
      </Group>
    </div>
  );
}

/** The steps in the gateway's dashboard, the settings, and buttons that compare and set them. */
function Manual(props: {
  channel: Channel;
  path: string;
  check: Check | undefined;
  setCheck: (check: Check) => void;
}) {
  const { channel, path, check, setCheck } = props;
  const compare = useMutation({
    mutationFn: (method: 'GET' | 'POST') => call<Check>(method, `${path}/webhook`),
    meta: { refetches: [['channel']] },
    onSuccess: setCheck,
  });
  const { setup, state } = channel;
  return (
    <Stack mt="sm">
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
        {state === 'connected' && (
          <Button
            variant="default"
            size="xs"
            loading={compare.isPending}
            onClick={() => compare.mutate('POST')}
          >
            {t.setForMe}
          </Button>
        )}
      </Group>
      <Problem of={compare} />
      {check?.matches === true && <Differences check={check} />}
    </Stack>
  );
}

function Differences({ check }: { check: Check }) {
  return (
    <Alert color={check.matches ? 'green' : 'yellow'} role="status">
      {check.matches ? t.matches : t.differs}
      {check.differences.map(({ setting, expected, actual }) => (
        <Multiline key={setting}>{`${setting}: ${actual} → ${expected}`}</Multiline>
      ))}
    </Alert>
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
