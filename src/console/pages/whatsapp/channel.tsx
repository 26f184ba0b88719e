/** An agent's WhatsApp channel: connection, webhook set-up, status. */
import { Alert, Badge, Button, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconBrandWhatsapp } from '../../components/icons.tsx';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Agent } from '../../../contract/conversations/agents.ts';
import type { Channel } from '../../../contract/whatsapp/channel.ts';
import { call } from '../../client.ts';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { Empty } from '../../components/empty.tsx';
import { Facts, type Fact } from '../../components/facts.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Problem } from '../../components/problem.tsx';
import { When } from '../../components/when.tsx';
import { words } from '../../messages.ts';
import { AgentFrame } from '../conversations/agent-frame.tsx';
import { ChannelEvents } from './channel-events.tsx';
import { ChannelLimits, Limited } from './channel-limits.tsx';
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

const problems: Readonly<Record<string, string>> = w.problems;

/** One status for both, so that a channel that is connected but receives nothing does not look healthy. */
function statusOf({ state, last_error }: Channel): { color: string; text: string } {
  if (state !== 'connected' || last_error === undefined)
    return { color: colors[state], text: w.states[state] };
  return { color: 'orange', text: problems[last_error.code] ?? w.problems.other };
}

const namesOf = ({ shared_with = [] }: Channel) => shared_with.map(({ agent_name }) => agent_name).join(', ');

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
  const check = useMutation({
    mutationFn: () => call<Channel>('POST', `${path}/check`),
    onSuccess: changed,
  });
  const setWebhook = useMutation({
    mutationFn: () => call('POST', `${path}/webhook`),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['channel', agent.id] }),
  });
  // Opening the page checks the gateway, so that the shown status is current.
  const isConnected = query.data?.state === 'connected';
  const { mutate: checkNow } = check;
  useEffect(() => {
    if (isConnected) checkNow();
  }, [isConnected, checkNow]);
  const connectButton = <Button onClick={connect.open}>{w.connect}</Button>;
  return (
    <Loaded query={query}>
      {(channel) => (
        <Stack>
          <Group gap="sm">
            <Text component="h2" fw={600} size="lg">
              {w.whatsapp}
            </Text>
            <Badge color={statusOf(channel).color}>{statusOf(channel).text}</Badge>
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
            <Connection
              channel={channel}
              actions={
                <Group gap="sm" mt="sm">
                  <Button
                    variant="default"
                    size="xs"
                    loading={check.isPending}
                    onClick={() => {
                      checkNow();
                    }}
                  >
                    {w.checkNow}
                  </Button>
                  {channel.session?.webhook === 'wrong' && (
                    <Button
                      size="xs"
                      loading={setWebhook.isPending}
                      onClick={() => {
                        setWebhook.mutate();
                      }}
                    >
                      {w.setForMeShort}
                    </Button>
                  )}
                  <Problem of={check} />
                  <Problem of={setWebhook} />
                </Group>
              }
            >
              <Button variant="default" onClick={edit.open}>
                {w.edit}
              </Button>
              <ConfirmButton
                label={w.disconnect}
                title={w.disconnectTitle}
                text={
                  channel.shared_with
                    ? w.disconnectText + w.disconnectShared(namesOf(channel))
                    : w.disconnectText
                }
                run={async () => {
                  changed(await call<Channel>('POST', `${path}/disconnect`));
                }}
                done={w.disconnected}
              />
            </Connection>
          )}
          <Limited limited={channel.limited} />
          {channel.shared_with && (
            <Alert color="orange" title={w.sharedTitle}>
              <Text size="sm" mb="sm">
                {w.sharedText(namesOf(channel))}
              </Text>
              <ConfirmButton
                size="xs"
                label={w.move}
                title={w.move}
                text={w.sharedText(namesOf(channel))}
                run={async () => {
                  changed(await call<Channel>('POST', `${path}/move`));
                }}
                done={w.moved}
              />
            </Alert>
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
                <summary>{w.limitsTitle}</summary>
                <ChannelLimits channel={channel} path={path} changed={changed} />
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

function Connection(props: { channel: Channel; actions: React.ReactNode; children: React.ReactNode }) {
  const { channel, actions, children } = props;
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
        <Alert color="orange" title={statusOf(channel).text} mb="md" role="alert">
          {last_error.message}
          {session?.down_since !== undefined && (
            <>
              {' '}
              ({w.since} <When at={session.down_since} />)
            </>
          )}
          {actions}
        </Alert>
      )}
      {state === 'connected' && !last_error && <div>{actions}</div>}
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
