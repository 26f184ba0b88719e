/** The page on which a member chats with an agent. Shows the runs with their tool calls and failures. */
import { Alert, Button, Group, Stack, Switch, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useCallback, useRef, useState } from 'react';
import { useSearchParams } from 'wouter';
import type { Agent } from '../../../contract/conversations/agents.ts';
import type { Acknowledgement } from '../../../contract/conversations/chat.ts';
import { call } from '../../client.ts';
import { IconMessages, IconSend } from '../../components/icons.tsx';
import { useKeptText } from '../../components/kept.ts';
import { Empty, Problem } from '../../components/states.tsx';
import { TextLink } from '../../components/text.tsx';
import { lazily } from '../../lazily.tsx';
import { texts } from '../../messages.ts';
import { useCan } from '../../shell/session.ts';
import { AgentFrame } from './agent-frame.tsx';
import { Composer } from './composer.tsx';
import { InspectorPlace } from './inspector/inspector-place.tsx';
import { NewMessages, useFollowEnd } from './timeline/follow-end.tsx';
import { MessageBubble } from './timeline/message-bubble.tsx';
import { RunActions } from './timeline/run-actions.tsx';
import { EntryPanel } from './timeline/run-panel.tsx';
import { showsAnswer } from './timeline/timeline-polls.ts';
import { useTimeline } from './timeline/use-timeline.ts';
import { useSavedDraft } from './use-saved-draft.ts';
import { useLiveAnswers, type LiveAnswer } from './use-live-answers.ts';

const t = texts.playground;
const TryAgain = lazily(() => import('./inspector/try-again.tsx'), 'TryAgain');

export function Playground() {
  const can = useCan();
  const [params] = useSearchParams();
  const tried = params.get('try');
  return (
    <AgentFrame lead={tried === null ? t.lead : t.leadOfTrial}>
      {(agent) =>
        !can('agents.manage') || !can('conversations.view') ? (
          <Text c="dimmed">{t.notAllowed}</Text>
        ) : tried === null ? (
          <Thread key={agent.id} agent={agent} />
        ) : (
          <TryAgain key={tried} agent={agent} runId={tried} />
        )
      }
    </AgentFrame>
  );
}

function Thread({ agent }: { agent: Agent }) {
  const queries = useQueryClient();
  const [conversation, setConversation] = useState<string>();
  const [text, setText] = useKeptText(`playground.${agent.id}`);
  const [params] = useSearchParams();
  const [wantsDraft, setWantsDraft] = useState(params.get('draft') !== null);
  const draft = useSavedDraft(agent.id).data ?? null;
  const timeline = useTimeline(conversation);
  const entries = timeline.data?.entries ?? [];
  const beginning = useRef(false);
  const begun = useCallback((id: string) => {
    beginning.current = false;
    setConversation(id);
  }, []);
  const live = useLiveAnswers(agent, begun);
  // A poll can bring an answer into the timeline before the answer's stream ends. Then only the timeline shows it.
  const writing = live.answers.filter(({ conversationId, messageId, text: said }) => {
    return conversationId === conversation && said !== '' && !showsAnswer(entries, messageId, said);
  });
  const { content, isAtEnd, toEnd } = useFollowEnd();
  const send = useMutation({
    mutationFn: async (message: string) => {
      const body = {
        message,
        ...(conversation !== undefined && { conversation_id: conversation }),
        ...(conversation === undefined && draft !== null && wantsDraft && { draft: true }),
      };
      // Parley never groups synchronous calls, so a message to an agent that groups messages is sent asynchronously.
      if (agent.grouping_window_seconds === 0) {
        await live.ask(body);
        return;
      }
      const { conversation_id } = await call<Acknowledgement>('POST', `/chat/${agent.id}`, { body });
      begun(conversation_id);
      await queries.invalidateQueries({ queryKey: ['timeline', conversation_id] });
    },
    onError: () => {
      beginning.current = false;
    },
  });
  const submit = () => {
    const message = text.trim();
    // Ignores a second message until the first one is accepted. Only then is the id of the conversation known.
    if (message === '' || beginning.current) return;
    beginning.current = conversation === undefined;
    setText('');
    toEnd();
    send.mutate(message);
  };
  return (
    <Stack>
      {!agent.active && <Alert color="yellow">{t.inactive}</Alert>}
      {draft !== null && (
        <Switch
          label={t.withDraft}
          description={t.withDraftHelp}
          checked={wantsDraft}
          onChange={(event) => {
            setWantsDraft(event.currentTarget.checked);
            setConversation(undefined);
          }}
        />
      )}
      <section aria-label={t.thread} aria-live="polite" className="thread timeline" ref={content}>
        {entries.length === 0 ? (
          <Empty icon={IconMessages} title={t.empty} text={t.emptyText} />
        ) : (
          entries.map((entry) => <EntryPanel key={entry.id} entry={entry} />)
        )}
        {writing.map((answer) => (
          <Writing key={answer.messageId} answer={answer} />
        ))}
      </section>
      <Problem of={send} />
      <div className="thread-foot">
        <NewMessages entries={entries} isAtEnd={isAtEnd} toEnd={toEnd} />
        <Composer
          label={t.message}
          placeholder={t.placeholder}
          text={text}
          setText={setText}
          submit={submit}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
            event.preventDefault();
            submit();
          }}
        >
          <Group justify="space-between">
            <Group gap="md">
              {conversation !== undefined && (
                <>
                  <Button variant="subtle" size="xs" onClick={() => setConversation(undefined)}>
                    {t.again}
                  </Button>
                  <TextLink to={`/conversations/${conversation}`}>{t.openConversation}</TextLink>
                  <RunActions id={conversation} mayRegenerate entries={entries} variant="subtle" size="xs" />
                </>
              )}
            </Group>
            <Button type="submit" rightSection={<IconSend />}>
              {t.send}
            </Button>
          </Group>
        </Composer>
      </div>
      <InspectorPlace />
    </Stack>
  );
}

/** Shows an answer while it streams. Screen readers announce an answer only when it is in the timeline. */
function Writing({ answer: { messageId, agentName, text } }: { answer: LiveAnswer }) {
  const [at] = useState(() => new Date().toISOString());
  const rest = {
    agent_version: null,
    of_draft: false,
    model: null,
    credits_used: null,
    pre_transfer: false,
    replaced: false,
    truncated: false,
    unanswered: null,
    edits: [],
    earlier_turns: [],
    attachments: [],
  };
  return (
    <section className="panel run" aria-live="off" aria-busy aria-label={t.writing}>
      <MessageBubble message={{ id: messageId, origin: 'agent', text, at, agent_name: agentName, ...rest }} />
    </section>
  );
}
