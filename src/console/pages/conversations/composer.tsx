/** The message field below a conversation, for a tester in the playground or for a human agent. */
import { Button, Group, Stack, Textarea, type TextareaProps } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useId, useRef, type ReactNode, type Ref } from 'react';
import type { ConversationRow } from '../../../contract/conversations/timeline.ts';
import { call } from '../../client.ts';
import { useKeptText } from '../../components/kept.ts';
import { Problem } from '../../components/states.tsx';
import { Hint } from '../../components/text.tsx';
import { texts } from '../../messages.ts';
import { AttachedFiles, AttachFiles, useDropAndPaste, type Attachments } from './attach-files.tsx';
import { attachmentsOf } from './attached-files.ts';

const t = texts.conversation;

export function Composer(
  props: Pick<TextareaProps, 'onKeyDown'> & {
    /** The field's name for screen readers. */
    label: string;
    /** Shown in the empty field; by default, its label. */
    placeholder?: string;
    /** Says how the message is sent. Shown below the field. */
    description?: string;
    text: string;
    setText: (text: string) => void;
    submit: () => void;
    field?: Ref<HTMLTextAreaElement>;
    /** The files of the message; by default, it takes none. */
    files?: Attachments;
    /** Buttons below the field. Must contain the one that submits the form. */
    buttons: ReactNode;
    /** Shown between the field and the buttons. */
    children?: ReactNode;
  },
) {
  const { label, placeholder = label, description, text, setText, submit, field, files } = props;
  const { buttons, children, onKeyDown } = props;
  const help = useId();
  return (
    <form
      className="panel composer"
      {...useDropAndPaste(files)}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Stack gap="xs">
        <Textarea
          variant="unstyled"
          aria-label={label}
          aria-describedby={description === undefined ? undefined : help}
          placeholder={placeholder}
          minRows={2}
          maxRows={8}
          value={text}
          ref={field}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        {files !== undefined && <AttachedFiles of={files} />}
        {children}
        <Group justify="space-between" gap="xs">
          {description !== undefined && (
            <Hint size="xs" id={help} flex="1 1 180px">
              {description}
            </Hint>
          )}
          {buttons}
        </Group>
      </Stack>
    </form>
  );
}

/**
 * Keeps the text of a message that is being written. Whoever sends it empties it at once, so that nobody sends the same
 * message twice.
 * @param name see `useKeptText`
 */
export function useMessageText(name: string) {
  const [text, setText] = useKeptText(name);
  const newest = useRef(text);
  const write = (typed: string) => {
    newest.current = typed;
    setText(typed);
  };
  return {
    text,
    write,
    /** Puts a message that was not sent before what was written since. */
    putBack: (sent: string) => write([sent, newest.current].filter((one) => one !== '').join('\n')),
  };
}

/** Sends a human agent's message on the channel or, in a conversation through the API, to the webhook. */
export function WriteAsPerson(props: {
  conversation: ConversationRow;
  files: Attachments;
  /** Called once the message is sent and the timeline is read again. */
  sent: () => void;
}) {
  const { conversation, files, sent: wasSent } = props;
  const { id, channel, has_webhook } = conversation;
  const { text, write, putBack } = useMessageText(`reply.${id}`);
  const send = useMutation({
    mutationFn: async (sent: { text: string; files: readonly File[] }) => {
      const body = { text: sent.text, attachments: await attachmentsOf(sent.files) };
      await call('POST', `/conversations/${id}/messages`, { body });
    },
    meta: { refetches: [['timeline', id], ['waiting']] },
    onMutate: (sent) => {
      write('');
      files.remove(sent.files);
    },
    onSuccess: wasSent,
    onError: (_, sent) => {
      putBack(sent.text);
      files.putBack(sent.files);
    },
  });
  const help = channel === 'api' ? t.replyHelp[has_webhook ? 'webhook' : 'stored'] : t.replyHelp.channel;
  const isEmpty = text.trim() === '' && files.files.length === 0;
  const submit = () => {
    if (!send.isPending && !isEmpty) send.mutate({ text, files: files.files });
  };
  return (
    <Composer
      label={t.reply}
      description={help}
      text={text}
      setText={write}
      submit={submit}
      files={files}
      buttons={
        <Group gap="xs">
          <AttachFiles to={files} />
          <Button type="submit" variant={isEmpty ? 'light' : 'filled'} loading={send.isPending}>
            {t.replySend}
          </Button>
        </Group>
      }
    >
      {channel === 'api' && has_webhook && files.files.length > 0 && (
        <Hint size="xs">{texts.attachments.notInCallback}</Hint>
      )}
      <Problem of={send} />
    </Composer>
  );
}
