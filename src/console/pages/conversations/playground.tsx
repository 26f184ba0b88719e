/** The page on which a member chats with an agent. Shows the runs with their tool calls and failures. */
import { Alert, Button, Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'wouter';
import type { AgentDraft as SavedDraft } from '../../../contract/conversations/agent-versions.ts';
import type { Agent } from '../../../contract/conversations/agents.ts';
import type { Acknowledgement } from '../../../contract/conversations/chat.ts';
import { ApiProblem, call } from '../../client.ts';
import { IconAlertTriangle, IconMessages, IconSend } from '../../components/icons.tsx';
import { useKeptPlace } from '../../components/kept.ts';
import { plainToolName } from '../../components/plain-tool.ts';
import { useHttpTools, useMcpServers, useModels, useTools } from '../../components/queries.ts';
import { Empty, Loaded, Problem } from '../../components/states.tsx';
import { Hint, TextLink } from '../../components/text.tsx';
import { lazily } from '../../lazily.tsx';
import { texts } from '../../messages.ts';
import { useCan } from '../../shell/session.ts';
import { AgentFrame } from './agent-frame.tsx';
import { AttachFiles, useAttachments } from './attach-files.tsx';
import { attachmentsOf } from './attached-files.ts';
import { Composer, useMessageText } from './composer.tsx';
import { InstructionsEditor, SaveDraft, useInstructions } from './instructions-editor.tsx';
import { Takeover, TakenOver } from './takeover.tsx';
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

/** The conversation of the playground. */
interface Talk {
  id: string;
  /** `updated_at` of the draft with which it began; null for the published version. */
  draftAt: string | null;
}

/**
 * Keeps the conversation in this browser tab, so that a reload and Back show it again. A kept conversation is not shown
 * again if it began with another draft than the one to try.
 * @param wantsDraft true to try the draft
 */
function useTalk(agentId: string, draft: SavedDraft | null, wantsDraft: boolean) {
  const place = useKeptPlace(`playground.talk.${agentId}`);
  const [talk, setTalk] = useState(() => {
    const kept = talkFrom(place.read());
    const triesDraft = draft !== null && (wantsDraft || kept?.draftAt != null);
    return triesDraft && kept?.draftAt !== draft.updated_at ? undefined : kept;
  });
  const change = (now: Talk | undefined) => {
    setTalk(now);
    place.write(now);
  };
  return [talk, change] as const;
}

function talkFrom(kept: unknown): Talk | undefined {
  if (typeof kept !== 'object' || kept === null || !('id' in kept) || !('draftAt' in kept)) return undefined;
  const { id, draftAt } = kept;
  if (typeof id !== 'string' || (typeof draftAt !== 'string' && draftAt !== null)) return undefined;
  return { id, draftAt };
}

/** The conversation, with the agent's instructions beside it on wide screens. */
function Sides({ agent, draft }: { agent: Agent; draft: SavedDraft | null }) {
  const [params] = useSearchParams();
  const isLinked = params.get('draft') !== null;
  const [talk, setTalk] = useTalk(agent.id, draft, isLinked);
  // With a draft, its instructions are the ones beside the conversation, so it answers first.
  const [wantsDraft, setWantsDraft] = useState(
    draft !== null && (talk === undefined || talk.draftAt !== null),
  );
  const editing = useInstructions(agent, draft, {
    place: `playground.instructions.${agent.id}`,
    done: () => {
      setWantsDraft(true);
      setTalk(undefined);
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
      <TextLink className="to-instructions" to={`/agents/${agent.id}`}>
        {t.toInstructions}
      </TextLink>
      <Thread {...{ agent, draft, talk, setTalk, wantsDraft, setWantsDraft }} />
    </div>
  );
}

function Thread(props: {
  agent: Agent;
  draft: SavedDraft | null;
  talk: Talk | undefined;
  setTalk: (talk: Talk | undefined) => void;
  wantsDraft: boolean;
  setWantsDraft: (wanted: boolean) => void;
}) {
  const { agent, draft, talk, setTalk, wantsDraft, setWantsDraft } = props;
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
  const draftAt = wantsDraft ? (draft?.updated_at ?? null) : null;
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
        if (id !== conversation) setTalk({ id, draftAt });
      };
      try {
        const body = {
          message,
          attachments: await attachmentsOf(sent),
          ...(conversation !== undefined && { conversation_id: conversation }),
          ...(conversation === undefined && draftAt !== null && { draft: true }),
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
  const submit = () => {
    const message = text.trim();
    const sent = files.files;
    // Ignores further messages while one that begins the conversation or has files is not accepted yet: until then, the
    // id of the conversation is unknown, or the files are still in memory.
    if ((message === '' && sent.length === 0) || blocks.current) return;
    blocks.current = conversation === undefined || sent.length > 0;
    setUploading(sent.length > 0);
    write('');
    files.remove(sent);
    toEnd();
    send.mutate({ message, sent });
  };
  return (
    <Stack className="playground-talk">
      <Group justify="space-between" gap="sm">
        <Answering agent={agent} draft={draft} draftAt={talk === undefined ? draftAt : talk.draftAt} />
        {draft !== null && (
          <SegmentedControl
            size="xs"
            aria-label={t.answersWith}
            title={t.withDraftHelp}
            data={[
              { value: 'published', label: texts.versions.version(agent.version) },
              { value: 'draft', label: t.draft },
            ]}
            value={wantsDraft ? 'draft' : 'published'}
            onChange={(chosen) => {
              setWantsDraft(chosen === 'draft');
              setTalk(undefined);
            }}
          />
        )}
      </Group>
      {!agent.active && <Alert color="yellow">{t.inactive}</Alert>}
      <section aria-label={t.thread} aria-live="polite" className="thread timeline" ref={content}>
        {entries.length === 0 ? (
          <Empty
            icon={IconMessages}
            title={t.empty}
            {...(agent.grouping_window_seconds > 0 && { text: t.emptyText })}
          >
            <Group gap="xs" justify="center" maw={460}>
              {t.starters.map((starter) => (
                <Button
                  key={starter}
                  variant="default"
                  size="xs"
                  radius="xl"
                  onClick={() => {
                    write(starter);
                    field.current?.focus();
                  }}
                >
                  {starter}
                </Button>
              ))}
            </Group>
          </Empty>
        ) : (
          entries.map((entry) => <EntryPanel key={entry.id} entry={entry} />)
        )}
        {writing.map((answer) => (
          <Writing key={answer.messageId} answer={answer} />
        ))}
      </section>
      {row !== undefined && <TakenOver conversation={row} />}
      <Problem of={send} />
      <div className="thread-foot">
        <NewMessages entries={entries} isAtEnd={isAtEnd} toEnd={toEnd} />
        <ToolsRun tools={(wantsDraft ? draft?.content.tools : undefined) ?? agent.tools} />
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
                    <Button variant="subtle" size="xs" onClick={() => setTalk(undefined)}>
                      {t.again}
                    </Button>
                    <TextLink to={`/conversations/${conversation}`}>{t.openConversation}</TextLink>
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
                <Button type="submit" rightSection={<IconSend />} loading={isUploading}>
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

/**
 * Warns that the agent's tools run as for a customer, and names those that do not only read. Renders nothing for an
 * agent without tools.
 */
function ToolsRun({ tools }: { tools: readonly string[] }) {
  const actions = useTools();
  const httpTools = useHttpTools();
  const servers = useMcpServers();
  if (tools.length === 0 || [actions, httpTools, servers].some(({ isPending }) => isPending)) return null;
  const known = [
    ...(actions.data ?? []).map(({ action, effect }) => ({ name: action, effect })),
    ...(httpTools.data ?? []),
    ...(servers.data ?? []).flatMap((server) => server.tools),
  ];
  const reading = new Set(known.filter(({ effect }) => effect === 'read').map(({ name }) => name));
  const writing = tools.filter((tool) => !reading.has(tool)).map((tool) => plainToolName(tool));
  return (
    <Group gap={6} wrap="nowrap" mb={6} className="tools-run">
      <IconAlertTriangle size={15} />
      <Text size="xs" lineClamp={3}>
        {t.toolsRun(writing)}
      </Text>
    </Group>
  );
}

/**
 * Shows which version answers the next message, or that the draft does, and with which model.
 * @param props.draftAt `updated_at` of the draft that answers; null for the published version. If it is not that of
 * `draft`, the conversation keeps an earlier draft, whose model this page does not know.
 */
function Answering(props: { agent: Agent; draft: SavedDraft | null; draftAt: string | null }) {
  const { agent, draft, draftAt } = props;
  const { data } = useModels();
  const published = [texts.versions.version(agent.version), agent.model];
  const model = draft?.updated_at === draftAt ? (draft.content.model ?? data?.default_model) : undefined;
  const answering = draftAt === null ? published : [t.draft, model];
  return <Hint>{answering.filter((part) => part !== undefined).join(' · ')}</Hint>;
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
