/** The WhatsApp channel of an agent: connecting, setting up the webhook, what is connected. */
import { Alert, Badge, Button, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconBrandWhatsapp } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Agent } from '../../contract/agents.ts';
import type { Channel } from '../../contract/channel.ts';
import { call } from '../client.ts';
import { ConfirmButton } from '../pieces/confirm-button.tsx';
import { Empty } from '../pieces/empty.tsx';
import { Facts, type Fact } from '../pieces/facts.tsx';
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
              <ConfirmButton
                label={w.disconnect}
                title={w.disconnectTitle}
                text={w.disconnectText}
                run={async () => {
                  changed(await call<Channel>('POST', `${path}/disconnect`));
                }}
                done={w.disconnected}
              />
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
        </Stack>
      )}
    </Loaded>
  );
}

function Connection({ channel, children }: { channel: Channel; children: React.ReactNode }) {
  const { state, base_url, connected_number, session, last_inbound_at, last_error } = channel;
  const facts: Fact[] = [
    ...(connected_number === undefined ? [] : [number(connected_number)]),
    [
      w.baseUrl,
      <span key="url" className="mono">
        {base_url}
      </span>,
    ],
    ...(session ? [sessionFact(session)] : []),
  ];
  if (state === 'connected') facts.push([w.lastInbound, <When key="in" at={last_inbound_at} />]);
  return (
    <div className="panel facts">
      <Facts facts={facts} />
      {state === 'connected' && last_error && (
        <Alert color="yellow" title={w.problem} mb="md">
          {last_error.message}
        </Alert>
      )}
      <Group gap="sm">{children}</Group>
    </div>
  );
}

const number = (owner: string): Fact => [w.number, <strong key="number">+{owner}</strong>];
const sessionFact = ({ status, checked_at }: NonNullable<Channel['session']>): Fact => [
  w.session,
  <span key="session">
    {status}, {w.checked} <When at={checked_at} />
  </span>,
];
