/** The page on which a member chats with an agent. Shows the runs with their tool calls and failures. */
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'wouter';
import type { AgentDraft as SavedDraft } from '../../../contract/conversations/agent-versions.ts';
import type { Agent } from '../../../contract/conversations/agents.ts';
import type { Acknowledgement } from '../../../contract/conversations/chat.ts';
import { ApiProblem, call } from '../../client.ts';
import { IconMessages, IconSend } from '../../components/icons.tsx';
import { Empty, Loaded, Problem } from '../../components/states.tsx';
import { TextLink } from '../../components/text.tsx';
import { lazily } from '../../lazily.tsx';
import { texts } from '../../messages.ts';
import { useCan } from '../../shell/session.ts';
import { AgentFrame } from './agent-frame.tsx';
import { AttachFiles, useAttachments } from './attach-files.tsx';
import { attachmentsOf } from './attached-files.ts';
import { Composer, useMessageText } from './composer.tsx';
import { InstructionsEditor, SaveDraft, useInstructions } from './instructions-editor.tsx';
import { Starters } from './starters.tsx';
import { Takeover, TakenOver } from './takeover.tsx';
import { InspectorPlace } from './inspector/inspector-place.tsx';
import { NewMessages, useFollowEnd } from './timeline/follow-end.tsx';
import { MessageBubble } from './timeline/message-bubble.tsx';
import { RunActions } from './timeline/run-actions.tsx';
import { EntryPanel } from './timeline/run-panel.tsx';
import { showsAnswer } from './timeline/timeline-polls.ts';
import { useTimeline } from './timeline/use-timeline.ts';
import { useLiveAnswers, type LiveAnswer } from './use-live-answers.ts';
import { useSavedDraft } from './use-saved-draft.ts';
import { ToolsRun } from './tools-run.tsx';
import { useTalk, type Answerer, type Beginning, type Talk } from './use-talk.ts';
import { WhoAnswers } from './who-answers.tsx';

const t = texts.playground;
const TryAgain = lazily(() => import('./inspector/try-again.tsx'), 'TryAgain');

export function Playground() {
  const can = useCan();
  const [params] = useSearchParams();
  const tried = params.get('try');
  return (
    <AgentFrame {...(tried !== null && { lead: t.leadOfTrial })}>
      {(agent) =>
        !can('agents.manage') || !can('conversations.view') ? (
          <Text c="dimmed">{t.notAllowed}</Text>
        ) : tried === null ? (
          <WithDraft key={agent.id} agent={agent} />
        ) : (
          <TryAgain key={tried} agent={agent} runId={tried} />
        )
      }
    </AgentFrame>
  );
}

function WithDraft({ agent }: { agent: Agent }) {
  return <Loaded query={useSavedDraft(agent.id)}>{(draft) => <Sides agent={agent} draft={draft} />}</Loaded>;
}

/** The conversation, with the agent's instructions beside it on wide screens. */
function Sides({ agent, draft }: { agent: Agent; draft: SavedDraft | null }) {
  const { choose, ...talking } = useTalk(agent, draft);
  const editing = useInstructions(agent, draft, {
    place: `playground.instructions.${agent.id}`,
    done: () => {
      choose('draft');
    },
  });
  const save = () => {
    if (!editing.save.isPending && editing.instructions !== editing.base.instructions)
      editing.save.mutate(editing.instructions);
  };
  return (
    <div className="playground">
      <form
        className="panel try-instructions"
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        <InstructionsEditor
          agent={agent}
          mark={draft === null ? texts.versions.version(agent.version) : t.draft}
          description={t.instructionsHelp}
          of={editing}
          submit={save}
        >
          <Group gap="sm">
            <SaveDraft of={editing} />
            {draft !== null && <TextLink to={`/agents/${agent.id}`}>{texts.versions.openDraft}</TextLink>}
          </Group>
        </InstructionsEditor>
      </form>
      <Thread {...{ agent, draft, choose, ...talking }} />
    </div>
  );
}

function Thread(props: {
  agent: Agent;
  draft: SavedDraft | null;
  talk: Talk | undefined;
  setTalk: (talk: Talk | undefined) => void;
  begins: Beginning;
  choose: (chosen: Answerer) => void;
  chooseReadOnly: (readOnly: boolean) => void;
}) {
  const { agent, draft, talk, setTalk, begins, choose, chooseReadOnly } = props;
  const queries = useQueryClient();
  const conversation = talk?.id;
  const { text, write, putBack } = useMessageText(`playground.${agent.id}`);
  const field = useRef<HTMLTextAreaElement>(null);
  const files = useAttachments();
  const timeline = useTimeline(conversation);
  const entries = timeline.data?.entries ?? [];
  const row = timeline.data?.conversation;
  const isPaused = row?.paused_until !== undefined;
  /** True until a message is accepted that begins the conversation or has files. */
  const blocks = useRef(false);
  const [isUploading, setUploading] = useState(false);
  const isErased = timeline.error instanceof ApiProblem && timeline.error.code === 'not_found';
  useEffect(() => {
    if (isErased) setTalk(undefined);
  }, [isErased]);
  const live = useLiveAnswers(agent);
  // A poll can bring an answer into the timeline before the answer's stream ends. Then only the timeline shows it.
  const writing = live.answers.filter(({ conversationId, messageId, text: said }) => {
    return conversationId === conversation && said !== '' && !showsAnswer(entries, messageId, said);
  });
  const { content, isAtEnd, toEnd } = useFollowEnd();
  const send = useMutation({
    mutationFn: async ({ message, sent }: { message: string; sent: readonly File[] }) => {
      const progress = { isAccepted: false };
      const unblock = () => {
        if (conversation !== undefined && sent.length === 0) return;
        blocks.current = false;
        setUploading(false);
      };
      const accepted = (id: string) => {
        progress.isAccepted = true;
        unblock();
        if (id !== conversation) setTalk({ id, ...begins });
      };
      try {
        const body = {
          message,
          attachments: await attachmentsOf(sent),
          ...(conversation !== undefined && { conversation_id: conversation }),
          ...(conversation === undefined && begins.draftAt !== null && { draft: true }),
          ...(conversation === undefined && begins.candidate !== null && { candidate: true }),
          ...(conversation === undefined && begins.readOnly && { read_only: true }),
        };
        // Parley never groups synchronous calls, so a message to an agent that groups messages is sent asynchronously.
        if (agent.grouping_window_seconds === 0) {
          await live.ask(body, accepted);
          return;
        }
        const { conversation_id } = await call<Acknowledgement>('POST', `/chat/${agent.id}`, { body });
        accepted(conversation_id);
        await queries.invalidateQueries({ queryKey: ['timeline', conversation_id] });
      } catch (error) {
        if (!progress.isAccepted) {
          unblock();
          putBack(message);
          files.putBack(sent);
        }
        throw error;
      }
    },
  });
  const isEmpty = text.trim() === '' && files.files.length === 0;
  const submit = () => {
    const message = text.trim();
    const sent = files.files;
    // Ignores further messages while one that begins the conversation or has files is not accepted yet: until then, the
    // id of the conversation is unknown, or the files are still in memory.
    if (isEmpty || blocks.current) return;
    blocks.current = conversation === undefined || sent.length > 0;
    setUploading(sent.length > 0);
    write('');
    files.remove(sent);
    toEnd();
    send.mutate({ message, sent });
  };
  return (
    <Stack className="panel playground-talk" gap={0}>
      <WhoAnswers {...{ agent, draft, begins, choose }} begun={talk}>
        {conversation === undefined ? undefined : (
          <>
            <TextLink to={`/conversations/${conversation}`} size="xs">
              {t.openConversation}
            </TextLink>
            <Button variant="default" size="compact-xs" onClick={() => setTalk(undefined)}>
              {t.again}
            </Button>
          </>
        )}
      </WhoAnswers>
      {!agent.active && (
        <Alert color="yellow" radius={0}>
          {t.inactive}
        </Alert>
      )}
      <section aria-label={t.thread} aria-live="polite" className="thread timeline" ref={content}>
        {entries.length === 0 ? (
          <Empty
            icon={IconMessages}
            title={t.empty}
            {...(agent.grouping_window_seconds > 0 && { text: t.emptyText })}
          >
            <Starters
              agentId={agent.id}
              choose={(starter) => {
                write(starter);
                field.current?.focus();
              }}
            />
          </Empty>
        ) : (
          entries.map((entry) => <EntryPanel key={entry.id} entry={entry} />)
        )}
        {writing.map((answer) => (
          <Writing key={answer.messageId} answer={answer} />
        ))}
      </section>
      <div className="thread-foot">
        {row !== undefined && <TakenOver conversation={row} />}
        <Problem of={send} />
        <NewMessages entries={entries} isAtEnd={isAtEnd} toEnd={toEnd} />
        <ToolsRun
          agent={(begins.draftAt === null ? undefined : draft?.content) ?? agent}
          isOff={(talk ?? begins).readOnly}
          choose={chooseReadOnly}
        />
        <Composer
          label={t.message}
          field={field}
          placeholder={t.placeholder}
          text={text}
          setText={write}
          submit={submit}
          files={files}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
            event.preventDefault();
            submit();
          }}
          buttons={
            <>
              <Group gap="xs">
                {conversation !== undefined && (
                  <>
                    <RunActions
                      id={conversation}
                      mayRegenerate={!isPaused}
                      entries={entries}
                      variant="subtle"
                      size="xs"
                    />
                    {row !== undefined && isPaused && (
                      <Takeover conversation={row} variant="subtle" size="xs" />
                    )}
                  </>
                )}
              </Group>
              <Group gap="xs" ml="auto">
                <AttachFiles to={files} />
                <Button
                  type="submit"
                  variant={isEmpty ? 'light' : 'filled'}
                  rightSection={<IconSend />}
                  loading={isUploading}
                >
                  {t.send}
                </Button>
              </Group>
            </>
          }
        />
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
    <section className="run" aria-live="off" aria-busy aria-label={t.writing}>
      <MessageBubble message={{ id: messageId, origin: 'agent', text, at, agent_name: agentName, ...rest }} />
    </section>
  );
}
