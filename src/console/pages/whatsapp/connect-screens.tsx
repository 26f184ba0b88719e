/**
 * The first of the three screens that connect a number: a form for the gateway's address and token. Also contains the
 * components that the three screens share.
 */
import { Button, Group, PasswordInput, Stack, Text, TextInput, VisuallyHidden } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, type ReactNode } from 'react';
import type { Channel } from '../../../contract/whatsapp/channel.ts';
import { ApiProblem, call } from '../../client.ts';
import { FormDialog, Question } from '../../components/dialogs.tsx';
import { fieldsWith } from '../../components/form-values.ts';
import { IconCheck } from '../../components/icons.tsx';
import { Problem } from '../../components/states.tsx';
import { Hint } from '../../components/text.tsx';
import { required, useServerForm } from '../../components/use-server-form.ts';
import { texts } from '../../messages.ts';
import type { ChannelPart } from './channel-forms.tsx';

const t = texts.channel;

export type ScreenNumber = 1 | 2 | 3;

/**
 * A screen with the progress line above it.
 * @param props.hasFocus true if the person opened this screen with a button. The title of the screen then gets the
 * focus, which would otherwise be lost with the button.
 */
export function Screen(props: {
  at: ScreenNumber;
  hasFocus: boolean;
  /** True if the work of this screen is done. */
  done?: boolean;
  children: ReactNode;
}) {
  const { at, hasFocus, done = false, children } = props;
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (hasFocus) title.current?.focus();
  }, [hasFocus, at]);
  return (
    <section className="panel facts" aria-label={t.screens[at - 1]}>
      <Steps at={at} done={done} />
      <Stack>
        <Text component="h3" fw={600} ref={title} tabIndex={-1} className="connect-title">
          {t.screenOf(at, t.screens[at - 1] ?? '')}
        </Text>
        {children}
      </Stack>
    </section>
  );
}

/** The steps that connect a number. @param props.at the current one */
function Steps({ at, done = false }: { at: ScreenNumber; done?: boolean }) {
  return (
    <ol className="connect-steps" aria-label={t.progress}>
      {t.screens.map((name, index) => {
        const isDone = index + 1 < at || (index + 1 === at && done);
        return (
          <li
            key={name}
            data-state={isDone ? 'done' : index + 1 === at ? 'current' : 'next'}
            {...(index + 1 === at && { 'aria-current': 'step' })}
          >
            <span aria-hidden className="connect-step-mark">
              {isDone ? <IconCheck size={14} /> : index + 1}
            </span>
            <span>{name}</span>
            {isDone && <VisuallyHidden>{t.screenDone}</VisuallyHidden>}
          </li>
        );
      })}
    </ol>
  );
}

/** @returns the error of a call if its code is `number_in_use`; otherwise undefined */
export function numberInUse(error: Error | null): ApiProblem | undefined {
  return error instanceof ApiProblem && error.code === 'number_in_use' ? error : undefined;
}

/** Asks whether this agent takes the number over from the agents that the error message names. */
export function TakeOver(props: {
  problem: ApiProblem;
  yes: () => void;
  no: () => void;
  doing: { error: Error | null; isPending: boolean };
}) {
  const { problem, yes, no, doing } = props;
  return (
    <Question {...t.takeOver} text={`${problem.message} ${t.takeOverNext}`} yes={yes} no={no} doing={doing} />
  );
}

type Connecting = Omit<ChannelPart, 'channel'> & {
  /** The channel to edit; undefined to connect a new one. */
  channel: Channel | undefined;
  close: () => void;
};

/** The form with the address and the token. The server tries both at the gateway before it stores them. */
function useChannelForm({ path, channel, changed, close }: Connecting) {
  const isNew = channel === undefined;
  const save = ({ base_url, instance_token }: Record<'base_url' | 'instance_token', string>, more = {}) => {
    // Without a token, the stored one stays.
    const body = { base_url, ...((isNew || instance_token !== '') && { instance_token }), ...more };
    return call<Channel>(isNew ? 'PUT' : 'PATCH', path, { body });
  };
  const sent = (answer: Channel) => {
    changed(answer);
    close();
  };
  const meta = { done: isNew ? undefined : t.saved };
  const saving = useServerForm({
    values: { base_url: channel?.base_url ?? '', instance_token: '' },
    check: { base_url: required, ...(isNew && { instance_token: required }) },
    send: (values) => save(values),
    meta,
    sent,
  });
  const takingOver = useMutation({
    mutationFn: () => save(saving.form.getValues(), { take_over: true }),
    meta,
    onSuccess: sent,
  });
  const inUse = numberInUse(saving.trying.error);
  const question = inUse && (
    <TakeOver
      problem={inUse}
      yes={() => takingOver.mutate()}
      no={() => {
        takingOver.reset();
        saving.forget();
      }}
      doing={takingOver}
    />
  );
  const field = fieldsWith(t, saving.form.getInputProps);
  const fields = (
    <>
      <TextInput type="url" required data-autofocus {...field('baseUrl', 'base_url')} />
      <PasswordInput
        {...field('token', 'instance_token')}
        description={isNew ? t.tokenHelp : t.tokenEditHelp}
        required={isNew}
        autoComplete="off"
      />
    </>
  );
  return { saving, question, fields };
}

/** Edits the address and the token of a channel. */
export function EditConnection(props: Connecting & { channel: Channel }) {
  const { saving, question, fields } = useChannelForm(props);
  // The question replaces the form, so that only one dialog is open.
  if (question) return question;
  return (
    <FormDialog title={t.editTitle} action={t.save} of={saving} close={props.close}>
      {fields}
    </FormDialog>
  );
}

/** The first screen: connects a gateway instance. */
export function ConnectScreen(props: Omit<Connecting, 'channel'>) {
  const { saving, question, fields } = useChannelForm({ ...props, channel: undefined });
  return (
    <Screen at={1} hasFocus>
      <Hint>{t.connectLead}</Hint>
      <form noValidate onSubmit={saving.submit}>
        <Stack>
          {fields}
          {question ?? <Problem of={saving.trying} />}
          <Group>
            <Button type="submit" loading={saving.trying.isPending}>
              {t.validate}
            </Button>
            <Button variant="default" onClick={props.close}>
              {texts.common.cancel}
            </Button>
          </Group>
        </Stack>
      </form>
    </Screen>
  );
}
