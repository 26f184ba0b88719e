/** The third screen of connecting a number: sends one real message, and shows whether it has arrived. */
import { Alert, Button, Group, Loader, Stack, Text, TextInput } from '@mantine/core';
import { useRef, useState } from 'react';
import type { ChannelHello } from '../../../contract/whatsapp/channel-hello.ts';
import { call } from '../../client.ts';
import { fieldsWith } from '../../components/form-values.ts';
import { useRead } from '../../components/queries.ts';
import { Problem } from '../../components/states.tsx';
import { Hint, When } from '../../components/text.tsx';
import { required, useServerForm } from '../../components/use-server-form.ts';
import { texts } from '../../messages.ts';
import { Screen } from './connect-screens.tsx';

const t = texts.channel.hello;

/**
 * Milliseconds between two polls of a hello that has neither arrived nor failed, and the number of polls after which
 * polling ends. Chosen: about 3 minutes in total.
 */
const readEveryMs = 2000;
const maxReadings = 90;

/** Sends a hello, and polls it until it has arrived or failed, or was read more than `maxReadings` times. */
function useHello(path: string) {
  /** The last request. Until it has succeeded, retries for the same number have its id, so that one message is sent. */
  const last = useRef({ to: '', id: '', isAnswered: true });
  const [sent, setSent] = useState<ChannelHello>();
  const sending = useServerForm({
    values: { to: '' },
    check: { to: required },
    send: ({ to }) => {
      if (last.current.isAnswered || last.current.to !== to)
        last.current = { to, id: newRequestId(), isAnswered: false };
      return call<ChannelHello>('POST', `${path}/hello`, { body: { request_id: last.current.id, to } });
    },
    sent: (hello) => {
      last.current.isAnswered = true;
      setSent(hello);
    },
  });
  const read = useRead<ChannelHello>(['hello', sent?.request_id], `${path}/hello/${sent?.request_id ?? ''}`, {
    enabled: sent !== undefined,
    refetchInterval: ({ state: { data, dataUpdateCount } }) =>
      data?.status === 'arrived' || data?.status === 'failed' || dataUpdateCount > maxReadings
        ? false
        : readEveryMs,
  });
  return { sending, hello: read.data ?? sent };
}

/** Returns a random UUID. Does not use `crypto.randomUUID`, because browsers offer it only at https and localhost. */
function newRequestId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** Sends a hello to a number that the user enters, and shows its state. */
export function SendHello({ path }: { path: string }) {
  return <HelloForm of={useHello(path)} />;
}

function HelloForm({ of, close }: { of: ReturnType<typeof useHello>; close?: () => void }) {
  const { sending, hello } = of;
  const { form, submit, trying } = sending;
  const digits = form.getValues().to.replace(/\D/g, '');
  const field = fieldsWith(t, form.getInputProps);
  const hasArrived = hello?.status === 'arrived';
  return (
    <form noValidate onSubmit={submit}>
      <Stack>
        <TextInput type="tel" required autoComplete="tel" maw={420} {...field('to')} />
        <Problem of={trying} />
        <Group>
          <Button
            type="submit"
            loading={trying.isPending}
            {...(hasArrived && { variant: 'default' })}
            disabled={hello?.status === 'sending'}
          >
            {t.send(digits)}
          </Button>
          {close && (
            <Button variant={hasArrived ? 'filled' : 'default'} onClick={close}>
              {hasArrived ? texts.common.done : t.later}
            </Button>
          )}
        </Group>
        {hello && <HelloState hello={hello} />}
      </Stack>
    </form>
  );
}

/** The third screen: the form of `SendHello`, with a button that closes the screen. */
export function HelloScreen(props: { path: string; hasFocus: boolean; done: () => void }) {
  const { path, hasFocus, done } = props;
  const of = useHello(path);
  return (
    <Screen at={3} hasFocus={hasFocus} done={of.hello?.status === 'arrived'}>
      <Hint>{t.lead}</Hint>
      <HelloForm of={of} close={done} />
    </Screen>
  );
}

function HelloState({ hello }: { hello: ChannelHello }) {
  const { status, to, arrived_by, arrived_at, problem } = hello;
  if (status === 'sending')
    return (
      <Group gap="sm" role="status">
        <Loader size={16} aria-hidden />
        <Hint>{t.sending}</Hint>
      </Group>
    );
  if (status === 'arrived')
    return (
      <Alert color="green" role="status" title={t.arrived(to)}>
        <Text size="sm">
          {arrived_by && t.arrivedBy[arrived_by]} <When at={arrived_at} timeOnly />
        </Text>
      </Alert>
    );
  const color = status === 'failed' ? 'red' : problem ? 'orange' : 'blue';
  return (
    <Alert color={color} role="status" title={problem ? t.problems[status] : t.sent(to)}>
      <Text size="sm">{problem?.message ?? t.look}</Text>
    </Alert>
  );
}
