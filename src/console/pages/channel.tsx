/** The WhatsApp channel of an agent: connecting, setting up the webhook, what is connected. */
import { Alert, Badge, Button, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { IconBrandWhatsapp } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Agent } from '../../contract/agents.ts';
import type { Channel } from '../../contract/channel.ts';
import { call } from '../client.ts';
import { Confirm } from '../pieces/confirm.tsx';
import { Empty } from '../pieces/empty.tsx';
import { Loaded } from '../pieces/loaded.tsx';
import { When } from '../pieces/when.tsx';
import { words } from '../words.ts';
import { AgentFrame } from './agent-frame.tsx';
import { ChannelEvents } from './channel-events.tsx';
import { ChannelForm } from './channel-form.tsx';
import { ChannelSettings } from './channel-settings.tsx';
import { ChannelSetup } from './channel-setup.tsx';

const w = words.channel;
const colors = {
  not_connected: 'gray',
  awaiting_webhook: 'yellow',
  connected: 'green',
  inactive: 'gray',
} as const;

export function ChannelPage() {
  return <AgentFrame lead={w.lead}>{(agent) => <Shown key={agent.id} agent={agent} />}</AgentFrame>;
}

function Shown({ agent }: { agent: Agent }) {
  const path = `/agents/${agent.id}/channel`;
  const queries = useQueryClient();
  const [connecting, connect] = useDisclosure(false);
  const [editing, edit] = useDisclosure(false);
  const [ending, end] = useDisclosure(false);
  const query = useQuery({
    queryKey: ['channel', agent.id],
    queryFn: () => call<Channel>('GET', path),
    refetchInterval: 10_000,
  });
  const changed = (channel: Channel) => {
    queries.setQueryData(['channel', agent.id], channel);
  };
  const connectButton = <Button onClick={connect.open}>{w.connect}</Button>;
  return (
    <Loaded query={query}>
      {(channel) => (
        <Stack>
          <Group gap="sm">
            <Text component="h2" fw={600} size="lg">
              {w.whatsapp}
            </Text>
            <Badge color={colors[channel.state]}>{w.states[channel.state]}</Badge>
          </Group>
          {channel.state === 'not_connected' && (
            <Empty icon={IconBrandWhatsapp} title={w.notConnected}>
              {connectButton}
            </Empty>
          )}
          {channel.state === 'inactive' && (
            <Empty icon={IconBrandWhatsapp} title={w.inactive}>
              {connectButton}
            </Empty>
          )}
          {(channel.state === 'connected' || channel.state === 'awaiting_webhook') && (
            <Connection channel={channel}>
              <Button variant="default" onClick={edit.open}>
                {w.edit}
              </Button>
              <Button variant="light" color="red" onClick={end.open}>
                {w.disconnect}
              </Button>
            </Connection>
          )}
          {channel.state === 'awaiting_webhook' && (
            <ChannelSetup channel={channel} path={path} changed={changed} />
          )}
          {channel.state === 'connected' && (
            <details className="panel facts">
              <summary>{w.setup}</summary>
              <ChannelSetup channel={channel} path={path} changed={changed} />
            </details>
          )}
          {channel.state === 'connected' && (
            <>
              <details className="panel facts">
                <summary>{w.settingsTitle}</summary>
                <ChannelSettings channel={channel} path={path} changed={changed} />
              </details>
              <details className="panel facts">
                <summary>{w.events}</summary>
                <ChannelEvents path={path} />
              </details>
            </>
          )}
          {connecting && (
            <ChannelForm path={path} channel={undefined} changed={changed} close={connect.close} />
          )}
          {editing && <ChannelForm path={path} channel={channel} changed={changed} close={edit.close} />}
          {ending && (
            <Confirm
              title={w.disconnectTitle}
              text={w.disconnectText}
              action={w.disconnect}
              run={async () => {
                changed(await call<Channel>('POST', `${path}/disconnect`));
                notifications.show({ message: w.disconnected });
              }}
              close={end.close}
            />
          )}
        </Stack>
      )}
    </Loaded>
  );
}

function Connection({ channel, children }: { channel: Channel; children: React.ReactNode }) {
  const { state, base_url, connected_number, session, last_inbound_at, last_error } = channel;
  const facts: [string, React.ReactNode][] = [
    ...(connected_number === undefined
      ? []
      : [[w.number, <strong key="number">+{connected_number}</strong>] satisfies [string, React.ReactNode]]),
    [
      w.baseUrl,
      <span key="url" className="mono">
        {base_url}
      </span>,
    ],
    ...(session
      ? [
          [
            w.session,
            <span key="session">
              {session.status}, {w.checked} <When at={session.checked_at} />
            </span>,
          ] satisfies [string, React.ReactNode],
        ]
      : []),
    ...(state === 'connected'
      ? [[w.lastInbound, <When key="in" at={last_inbound_at} />] satisfies [string, React.ReactNode]]
      : []),
  ];
  return (
    <div className="panel facts">
      <dl>
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {state === 'connected' && last_error && (
        <Alert color="yellow" title={w.problem} mb="md">
          {last_error.message}
        </Alert>
      )}
      <Group gap="sm">{children}</Group>
    </div>
  );
}
