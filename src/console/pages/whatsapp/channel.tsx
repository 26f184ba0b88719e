/** The page of an agent's WhatsApp channel: its status, connection, webhook, settings, limits and events. */
import { Alert, Badge, Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Agent } from '../../../contract/conversations/agents.ts';
import type { z } from 'zod';
import type { Channel, channelEvent } from '../../../contract/whatsapp/channel.ts';
import { call } from '../../client.ts';
import { ConfirmButton, destructive, Dialog, DialogButton } from '../../components/dialogs.tsx';
import { sentenceCase } from '../../components/format.ts';
import { IconBrandWhatsapp } from '../../components/icons.tsx';
import { useList, useRead } from '../../components/queries.ts';
import { confirmed, RowActions } from '../../components/row-actions.tsx';
import { Row, Rows, IconTile } from '../../components/rows.tsx';
import { Loaded, Problem } from '../../components/states.tsx';
import { QueryTable, type Column } from '../../components/table.tsx';
import { Ago, Facts, Hint, When, type Fact } from '../../components/text.tsx';
import { texts } from '../../messages.ts';
import { AgentFrame } from '../conversations/agent-frame.tsx';
import { ChannelSettings, Limited } from './channel-forms.tsx';
import { HelloScreen, SendHello } from './channel-hello.tsx';
import { channelStatus } from './channel-status.ts';
import { ChannelSetup, WebhookScreen } from './channel-setup.tsx';
import { ConnectScreen, EditConnection } from './connect-screens.tsx';
import { NotConnected } from './not-connected.tsx';

const t = texts.channel;
const statusOf = ({ state, last_error }: Channel) => channelStatus(state, last_error?.code ?? null);

/** True if the channel has a gateway instance that is in use. */
const isSetUp = ({ state }: Channel) => state === 'connected' || state === 'awaiting_webhook';

const namesOf = ({ shared_with = [] }: Channel) => shared_with.map(({ agent_name }) => agent_name).join(', ');

export function ChannelPage() {
  return <AgentFrame>{(agent) => <Shown key={agent.id} agent={agent} />}</AgentFrame>;
}

function Shown({ agent }: { agent: Agent }) {
  const path = `/agents/${agent.id}/channel`;
  const queries = useQueryClient();
  const key = ['channel', agent.id];
  const query = useRead<Channel>(key, path, { refetchInterval: 10_000 });
  const changed = (channel: Channel) => queries.setQueryData(key, channel);
  const check = useMutation({
    mutationFn: () => call<Channel>('POST', `${path}/check`),
    onSuccess: changed,
  });
  const setWebhook = useMutation({
    mutationFn: () => call('POST', `${path}/webhook`),
    meta: { refetches: [key] },
  });
  const [isConnecting, setConnecting] = useState(false);
  /** True once a step has led to another screen, which then gets the focus. */
  const [hasMoved, setMoved] = useState(false);
  /** True if the third screen is open; undefined until a step, the user or the channel's state opens or closes it. */
  const [isGreeting, setGreeting] = useState<boolean>();
  const advance = (channel: Channel) => {
    setMoved(true);
    setConnecting(false);
    if (channel.state === 'connected') setGreeting(true);
    changed(channel);
  };
  // Opens the third screen for a connected channel that has received no message yet. It stays open when the reply to
  // the hello arrives.
  const isSilent = query.data?.state === 'connected' && query.data.last_inbound_at === undefined;
  if (isSilent && isGreeting === undefined) setGreeting(true);
  // Checks the gateway when the page opens with a connected channel, or the channel becomes connected, so that the
  // status is current.
  const isConnected = query.data?.state === 'connected';
  const { mutate: checkNow } = check;
  useEffect(() => {
    if (isConnected) checkNow();
  }, [isConnected, checkNow]);
  return (
    <Loaded query={query}>
      {(channel) => {
        // A screen comes before the panel of the connection, and its title is below the channel's name.
        const isNamedBelow = channel.state === 'connected' && isGreeting !== true;
        const isOffered = !isSetUp(channel) && !isConnecting;
        return (
          <Stack>
            {!isNamedBelow && !isOffered && <Name of={channel} />}
            {isOffered && (
              <NotConnected
                status={<Status of={channel} />}
                wasConnected={channel.state === 'inactive'}
                connect={() => setConnecting(true)}
              />
            )}
            {!isSetUp(channel) && isConnecting && (
              <ConnectScreen path={path} changed={advance} close={() => setConnecting(false)} />
            )}
            {channel.state === 'awaiting_webhook' && (
              <WebhookScreen {...{ channel, path }} changed={advance} hasFocus={hasMoved} />
            )}
            {channel.state === 'connected' && isGreeting === true && (
              <HelloScreen path={path} hasFocus={hasMoved} done={() => setGreeting(false)} />
            )}
            {isSetUp(channel) && (
              <Connection
                channel={channel}
                isNamed={isNamedBelow}
                actions={
                  <>
                    {channel.state === 'connected' && isGreeting !== true && (
                      <DialogButton size="xs" variant="default" label={t.hello.title}>
                        {(close) => (
                          <Dialog title={t.hello.title} onClose={close}>
                            <Stack>
                              <Hint>{t.hello.lead}</Hint>
                              <SendHello path={path} />
                            </Stack>
                          </Dialog>
                        )}
                      </DialogButton>
                    )}
                    <Button variant="default" size="xs" loading={check.isPending} onClick={() => checkNow()}>
                      {t.checkNow}
                    </Button>
                    {channel.session?.webhook === 'wrong' && (
                      <Button size="xs" loading={setWebhook.isPending} onClick={() => setWebhook.mutate()}>
                        {t.setForMe}
                      </Button>
                    )}
                    <Problem of={check} />
                    <Problem of={setWebhook} />
                  </>
                }
              >
                <RowActions
                  name={t.whatsapp}
                  actions={[
                    {
                      label: t.edit,
                      dialog: (close) => (
                        <EditConnection path={path} channel={channel} changed={changed} close={close} />
                      ),
                    },
                    confirmed({
                      ...t.renewWebhook,
                      run: () => call('POST', `${path}/webhook/renew`),
                      query: 'channel',
                    }),
                  ]}
                />
              </Connection>
            )}
            <Limited limited={channel.limited} />
            {channel.shared_with && (
              <Alert color="orange" title={t.sharedTitle}>
                <Text size="sm" mb="sm">
                  {t.sharedText(namesOf(channel))}
                </Text>
                <ConfirmButton
                  size="xs"
                  {...t.move(namesOf(channel))}
                  run={async () => changed(await call<Channel>('POST', `${path}/move`))}
                />
              </Alert>
            )}
            {channel.state === 'connected' && (
              <Stack component="section" aria-label={t.settingsOf}>
                <ChannelSettings {...{ channel, path, changed }} />
                <div className="panel rows">
                  <Folded title={t.technical} state={webhookState(channel)}>
                    <div className="facts in-columns">
                      <Facts facts={technicalFacts(channel)} />
                    </div>
                    <ChannelSetup {...{ channel, path }} />
                  </Folded>
                  <ChannelEvents path={path} />
                </div>
              </Stack>
            )}
            {isSetUp(channel) && (
              <Rows>
                <Row name={t.disconnectTitle} help={t.disconnectHelp}>
                  <ConfirmButton
                    size="xs"
                    {...destructive}
                    {...t.disconnect(channel.shared_with && namesOf(channel))}
                    run={async () => changed(await call<Channel>('POST', `${path}/disconnect`))}
                  />
                </Row>
              </Rows>
            )}
          </Stack>
        );
      }}
    </Loaded>
  );
}

/**
 * A line that opens and closes its content on click. The content keeps its state while it is closed.
 * @param props.state what is inside, in short, beside the title
 */
function Folded(props: { title: string; state?: React.ReactNode; children: React.ReactNode }) {
  const { title, state, children } = props;
  return (
    <details className="event">
      <summary>
        {title}{' '}
        {state !== undefined && (
          <Text span size="sm" c="dimmed">
            {state}
          </Text>
        )}
      </summary>
      <Stack pt="sm">{children}</Stack>
    </details>
  );
}

function webhookState({ session }: Channel): string | undefined {
  return session?.webhook && `${t.webhook}: ${t.webhookStates[session.webhook]}`;
}

const technicalFacts = ({ base_url, session }: Channel): Fact[] => [
  [
    t.baseUrl,
    <span key="url" className="mono">
      {base_url}
    </span>,
  ],
  session !== undefined && [t.session, sentenceCase(session.status)],
  session?.webhook !== undefined && [t.webhook, t.webhookStates[session.webhook]],
];

function Status({ of }: { of: Channel }) {
  const { color, text } = statusOf(of);
  return <Badge color={color}>{text}</Badge>;
}

/** The product's name as a heading, and the channel's state. */
function Name({ of }: { of: Channel }) {
  return (
    <Group gap="sm">
      <Text component="h2" fw={600} size="lg">
        {t.whatsapp}
      </Text>
      <Status of={of} />
    </Group>
  );
}

/**
 * The panel with the number, its state and its actions; below, what is wrong with it.
 * @param props.isNamed shows the channel's name and state too
 */
function Connection(props: {
  channel: Channel;
  isNamed: boolean;
  actions: React.ReactNode;
  children: React.ReactNode;
}) {
  const { channel, isNamed, actions, children } = props;
  const { state, connected_number, session, last_inbound_at, last_error } = channel;
  const isConnected = state === 'connected';
  const hasAlert = isConnected && last_error !== undefined;
  return (
    <div className="panel facts">
      <Group gap="md" justify="space-between">
        <Group gap="md" wrap="nowrap" className="channel-name">
          <IconTile icon={IconBrandWhatsapp} />
          <div>
            {isNamed && <Name of={channel} />}
            <Hint className="dotted">
              {connected_number !== undefined && (
                <Text span inherit fw={500} c="var(--mantine-color-text)" title={t.number}>
                  +{connected_number}
                </Text>
              )}
              {isConnected && (
                <span>
                  {t.lastInbound} <Ago at={last_inbound_at} />
                </span>
              )}
              {session !== undefined && (
                <span>
                  {t.lastCheck} <Ago at={session.checked_at} />
                </span>
              )}
            </Hint>
          </div>
        </Group>
        <Group gap={8}>
          {isConnected && !hasAlert && actions}
          {children}
        </Group>
      </Group>
      {!isConnected && (
        <div className="channel-facts in-columns facts">
          <Facts facts={technicalFacts(channel)} />
        </div>
      )}
      {hasAlert && (
        <Alert color="orange" title={statusOf(channel).text} mt="md" role="alert">
          {last_error.message}
          {session?.down_since !== undefined && (
            <>
              {' '}
              ({t.since} <When at={session.down_since} />)
            </>
          )}
          <Group gap="sm" mt="sm">
            {actions}
          </Group>
        </Alert>
      )}
    </div>
  );
}

type ChannelEvent = z.infer<typeof channelEvent>;

const eventColumns: readonly Column<ChannelEvent>[] = [
  { label: t.eventAt, render: ({ received_at }) => <When at={received_at} /> },
  { label: t.eventOutcome, render: ({ outcome }) => t.outcomes[outcome] },
  {
    label: t.eventReason,
    render: ({ reason }) => (reason === undefined ? '–' : (t.reasons[reason] ?? reason)),
  },
  { label: t.eventRepeats, render: ({ repeats }) => repeats },
];

/** A line with the time of the newest event. It opens the newest 30 events from the gateway, each with its outcome and, if the API returns one, the reason. */
function ChannelEvents({ path }: { path: string }) {
  const events = useList<ChannelEvent>(`channel-events ${path}`, `${path}/events`, {
    query: { limit: 30 },
    refetchInterval: 10_000,
  });
  const newest = events.data?.[0];
  return (
    <Folded
      title={t.events}
      state={
        newest && (
          <>
            {t.lastEvent} <Ago at={newest.received_at} />
          </>
        )
      }
    >
      <QueryTable query={events} label={t.events} columns={eventColumns} empty={<Hint>{t.noEvents}</Hint>} />
    </Folded>
  );
}
