/** The field below a conversation, in which a human agent writes a reply to the contact, or a note for other members. */
import { Button, SegmentedControl } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { ConversationRow } from '../../../contract/conversations/timeline.ts';
import { call } from '../../client.ts';
import { choicesOf } from '../../components/filters.tsx';
import { Problem } from '../../components/states.tsx';
import { texts } from '../../messages.ts';
import { useCan } from '../../shell/session.ts';
import { useAttachments } from './attach-files.tsx';
import { Composer, useMessageText, WriteAsPerson } from './composer.tsx';

const t = texts.conversation;

/**
 * Renders nothing for users who may not take over conversations.
 * @param props.sent called once a reply is sent and the timeline is read again
 */
export function ReplyOrNote({ conversation, sent }: { conversation: ConversationRow; sent: () => void }) {
  const can = useCan();
  const [kind, setKind] = useState('reply');
  // Kept here, so that a look at the notes loses no file.
  const files = useAttachments();
  if (!can('conversations.take_over')) return null;
  return (
    <div className="panel writes">
      <SegmentedControl
        size="xs"
        aria-label={t.writes}
        data={choicesOf(t.kinds)}
        value={kind}
        onChange={setKind}
      />
      {kind === 'reply' ? (
        <WriteAsPerson conversation={conversation} files={files} sent={sent} />
      ) : (
        <WriteNote id={conversation.id} />
      )}
    </div>
  );
}

function WriteNote({ id }: { id: string }) {
  const { text, write, putBack } = useMessageText(`note.${id}`);
  const save = useMutation({
    mutationFn: (written: string) => call('POST', `/conversations/${id}/notes`, { body: { text: written } }),
    meta: { refetches: [['timeline', id]] },
    onMutate: () => write(''),
    onError: (_, written) => putBack(written),
  });
  const submit = () => {
    if (text.trim() !== '' && !save.isPending) save.mutate(text);
  };
  return (
    <Composer
      label={t.note}
      description={t.noteHelp}
      text={text}
      setText={write}
      submit={submit}
      buttons={
        <Button type="submit" color="yellow" variant="light" loading={save.isPending}>
          {t.noteSave}
        </Button>
      }
    >
      <Problem of={save} />
    </Composer>
  );
}
