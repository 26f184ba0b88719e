/** Sends a human agent's message to the contact of a channel. */
import { Button, Group, Stack, Textarea } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ConversationRow } from '../../../contract/conversations/timeline.ts';
import { call } from '../../client.ts';
import { useCan } from '../../shell/session.ts';
import { useKeptText } from '../../components/kept.ts';
import { Problem } from '../../components/problem.tsx';
import { words } from '../../messages.ts';

const w = words.conversation;

export function WriteAsPerson({ conversation: { id, channel } }: { conversation: ConversationRow }) {
  const can = useCan();
  const queries = useQueryClient();
  const [text, setText] = useKeptText(`reply.${id}`);
  const send = useMutation({
    mutationFn: () => call('POST', `/conversations/${id}/messages`, { body: { text } }),
    onSuccess: async () => {
      setText('');
      await queries.invalidateQueries({ queryKey: ['timeline', id] });
    },
  });
  if (channel === 'api' || !can('conversations.take_over')) return null;
  return (
    <form
      className="panel composer"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() !== '') send.mutate();
      }}
    >
      <Stack gap="sm">
        <Textarea
          label={w.reply}
          description={w.replyHelp}
          autosize
          minRows={1}
          maxRows={8}
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value);
          }}
        />
        <Problem of={send} />
        <Group justify="flex-end">
          <Button type="submit" loading={send.isPending}>
            {w.replySend}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
