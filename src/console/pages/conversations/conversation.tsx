/** One conversation: its runs on a timeline, and the takeover by a human agent. */
import { Alert, Anchor, Badge, Button, Group, Stack } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useLayoutEffect, useRef, useState } from 'react';
import { Link, useLocation, useParams } from 'wouter';
import type { Timeline, TimelineRun } from '../../../contract/conversations/timeline.ts';
import { call } from '../../client.ts';
import { Copy } from '../../components/copy.tsx';
import { ConfirmButton } from '../../components/dialogs.tsx';
import {
  IconExternalLink,
  IconMessages,
  IconPlayerPause,
  IconPlayerPlay,
  IconTrash,
} from '../../components/icons.tsx';
import { Page } from '../../components/page.tsx';
import { Empty, Loaded } from '../../components/states.tsx';
import { Facts, TextLink, When, type Fact } from '../../components/text.tsx';
import { texts } from '../../messages.ts';
import { useCan, useSession } from '../../shell/session.ts';
import { WriteAsPerson } from './composer.tsx';
import { nameOf } from './conversations.tsx';
import { NewMessages, useFollowEnd } from './timeline/follow-end.tsx';
import { RunActions } from './timeline/run-actions.tsx';
import { RunPanel } from './timeline/run-panel.tsx';
import { useTimeline } from './timeline/use-timeline.ts';

const t = texts.conversation;

export function Conversation() {
  const { id = '' } = useParams();
  const query = useTimeline(id);
  const back = (
    <Link href="/conversations" className="back-link">
      ← {t.back}
    </Link>
  );
  if (query.data === undefined) {
    return (
      <Page title={texts.conversations.title} above={back}>
        <Loaded query={query}>{() => null}</Loaded>
      </Page>
    );
  }
  return <Shown timeline={query.data} back={back} />;
}

function Shown({ timeline, back }: { timeline: Timeline; back: React.ReactNode }) {
  const { conversation, workflow_id } = timeline;
  const { paused_until } = conversation;
  const { content, isAtEnd, toEnd } = useFollowEnd();
  return (
    <Page
      title={conversation.contact === undefined ? t.title : t.titleWith(nameOf(conversation))}
      above={back}
      mark={paused_until !== undefined && <Badge color="violet">{texts.conversations.paused}</Badge>}
      actions={
        <>
          <Takeover conversation={conversation} />
          <Erase id={conversation.id} />
        </>
      }
    >
      {paused_until !== undefined && (
        <Alert color="violet" role="status">
          {takenOver(conversation)} {t.silentUntil} <When at={paused_until} />.
        </Alert>
      )}
      <div className="beside">
        <Stack>
          <Thread timeline={timeline} content={content} />
          <RunActions
            id={conversation.id}
            isChannel={conversation.channel !== 'api'}
            runs={timeline.runs}
            variant="default"
            size="xs"
          />
          <div className="thread-foot">
            <NewMessages runs={timeline.runs} isAtEnd={isAtEnd} toEnd={toEnd} />
            <WriteAsPerson conversation={conversation} />
          </div>
        </Stack>
        <Details conversation={conversation} workflowId={workflow_id} />
      </div>
    </Page>
  );
}

function takenOver({ paused_by, paused_by_name }: Timeline['conversation']): string {
  if (paused_by === 'phone') return t.takenOver.phone;
  if (paused_by === 'loop') return t.takenOver.loop;
  return paused_by_name === undefined ? t.takenOver.api : t.takenOver.console(paused_by_name);
}

function Thread(props: { timeline: Timeline; content: (element: HTMLElement | null) => void }) {
  const {
    timeline: { conversation, runs, older },
    content,
  } = props;
  const [before, setBefore] = useState<{ runs: TimelineRun[]; older: boolean }>({ runs: [], older });
  const first = before.runs[0] ?? runs[0];
  // Keeps the scroll position while older runs are inserted above.
  const heightBefore = useRef<number>(undefined);
  useLayoutEffect(() => {
    if (heightBefore.current === undefined) return;
    window.scrollBy(0, document.documentElement.scrollHeight - heightBefore.current);
    heightBefore.current = undefined;
  }, [before]);
  const load = useMutation({
    mutationFn: () =>
      call<Timeline>('GET', `/conversations/${conversation.id}/timeline`, {
        query: { before: first?.ordinal },
      }),
    onSuccess: (page) => {
      heightBefore.current = document.documentElement.scrollHeight;
      setBefore({ runs: [...page.runs, ...before.runs], older: page.older });
    },
  });
  const known = new Set(runs.map(({ id }) => id));
  const shown = [...before.runs.filter(({ id }) => !known.has(id)), ...runs];
  if (shown.length === 0) return <Empty icon={IconMessages} title={t.empty} />;
  return (
    <Stack component="section" aria-label={t.timeline} className="timeline" ref={content}>
      {before.older && (
        <Button variant="default" loading={load.isPending} onClick={() => load.mutate()}>
          {t.older}
        </Button>
      )}
      {shown.map((run) => (
        <RunPanel key={run.id} run={run} />
      ))}
    </Stack>
  );
}

function Takeover({ conversation }: { conversation: Timeline['conversation'] }) {
  const can = useCan();
  const { id, paused_until, channel } = conversation;
  const change = useMutation({
    mutationFn: (what: 'pause' | 'resume') =>
      call('POST', `/conversations/${id}/${what}`, what === 'pause' ? { body: {} } : {}),
    meta: { refetches: [['timeline', id]], notifiesError: true },
  });
  const isPaused = paused_until !== undefined;
  if (!can('conversations.take_over') || (channel === 'api' && !isPaused)) return null;
  return (
    <Button
      leftSection={isPaused ? <IconPlayerPlay /> : <IconPlayerPause />}
      loading={change.isPending}
      title={isPaused ? undefined : t.pauseHelp}
      onClick={() => change.mutate(isPaused ? 'resume' : 'pause')}
    >
      {isPaused ? t.resume : t.pause}
    </Button>
  );
}

/** Requires `data.manage`; the capability to take over conversations is not enough. */
function Erase({ id }: { id: string }) {
  const can = useCan();
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  if (!can('data.manage')) return null;
  return (
    <ConfirmButton
      variant="default"
      color="dark"
      leftSection={<IconTrash />}
      {...t.erase}
      run={async () => {
        await call('DELETE', `/conversations/${id}`);
        queries.removeQueries({ queryKey: ['timeline', id] });
        navigate('/conversations');
      }}
    />
  );
}

function Details(props: { conversation: Timeline['conversation']; workflowId: string }) {
  const { conversation, workflowId } = props;
  const { temporal_ui } = useSession();
  const { agent_name, agent_id, channel, contact, created_at, id } = conversation;
  const facts: Fact[] = [
    [
      t.agent,
      <TextLink key="agent" to={`/agents/${agent_id}`}>
        {agent_name}
      </TextLink>,
    ],
    [
      t.channel,
      channel === 'whatsapp' ? texts.conversations.channels.whatsapp : texts.conversations.channels.api,
    ],
    ...(contact ? [[t.contact, contact.id] satisfies Fact] : []),
    [t.begun, <When key="begun" at={created_at} />],
    [
      t.identifier,
      <span key="id" className="mono">
        {id}
      </span>,
    ],
  ];
  return (
    <aside className="panel facts" aria-label={t.details}>
      <Facts facts={facts} />
      <Group gap="sm">
        <Copy text={id} label={t.copyIdentifier} />
        {temporal_ui && (
          <Anchor
            href={`${temporal_ui.url}/namespaces/${encodeURIComponent(temporal_ui.namespace)}/workflows/${encodeURIComponent(workflowId)}`}
            target="_blank"
            rel="noreferrer"
            size="sm"
            underline="always"
          >
            <Group gap={6} wrap="nowrap">
              {t.workflow}
              <IconExternalLink size={14} />
            </Group>
          </Anchor>
        )}
      </Group>
    </aside>
  );
}
