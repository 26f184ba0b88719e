/** Who answers in the playground: the published version, the candidate or the draft. */
import { Group, SegmentedControl } from '@mantine/core';
import type { ReactNode } from 'react';
import type { AgentDraft } from '../../../contract/conversations/agent-versions.ts';
import type { Agent } from '../../../contract/conversations/agents.ts';
import { useModels } from '../../components/queries.ts';
import { Hint, TextLink } from '../../components/text.tsx';
import { texts } from '../../messages.ts';
import type { Answerer, Beginning } from './use-talk.ts';
import { useVersion } from './version-changes.tsx';

const t = texts.playground;

/**
 * Shows who answers the next message, and with which model, and on narrow screens a link to the instructions. If the agent
 * also has a draft or a candidate, chooses who answers a new conversation.
 * @param props.begun with what the conversation began; undefined if there is none yet
 * @param props.begins with what a new conversation begins
 * @param props.children what can be done with the conversation; without, the text says what it is
 */
export function WhoAnswers(props: {
  agent: Agent;
  draft: AgentDraft | null;
  begun: Beginning | undefined;
  begins: Beginning;
  choose: (chosen: Answerer) => void;
  children: ReactNode;
}) {
  const { agent, draft, begun, begins, choose, children } = props;
  const { candidate, draftAt } = begun ?? begins;
  const { version } = texts.versions;
  const chosen = begins.candidate !== null ? 'candidate' : begins.draftAt !== null ? 'draft' : 'published';
  const isChoice = draft !== null || agent.candidate !== undefined;
  // The choice already shows who answers, unless the conversation was begun with another one.
  const shown = { isNamed: !isChoice || (begun !== undefined && !isSame(begun, begins)) };
  return (
    <div className="who-answers">
      {isChoice && (
        <SegmentedControl<Answerer>
          size="xs"
          aria-label={t.answersWith}
          title={t.answersWithHelp}
          data={[
            { value: 'published', label: version(agent.version) },
            ...(agent.candidate === undefined
              ? []
              : [{ value: 'candidate' as const, label: version(agent.candidate.version) }]),
            ...(draft === null ? [] : [{ value: 'draft' as const, label: t.draft }]),
          ]}
          value={chosen}
          onChange={choose}
        />
      )}
      {/* After its share ended, a conversation of the candidate continues with the published version. */}
      {candidate !== null && candidate === agent.candidate?.version ? (
        <OfCandidate agentId={agent.id} version={candidate} {...shown} />
      ) : draftAt !== null ? (
        <OfDraft draft={draft} draftAt={draftAt} {...shown} />
      ) : (
        <Answering who={version(agent.version)} model={agent.model} {...shown} />
      )}
      <TextLink to={`/agents/${agent.id}`} size="xs" className="to-instructions">
        {t.toInstructions}
      </TextLink>
      <Group gap="sm" className="who-answers-lead">
        {children ?? <Hint size="xs">{t.lead}</Hint>}
      </Group>
    </div>
  );
}

interface Shown {
  /** True if who answers is named before the model. */
  isNamed: boolean;
}

const isSame = (one: Beginning, other: Beginning) =>
  one.candidate === other.candidate && one.draftAt === other.draftAt;

function OfCandidate({ agentId, version, isNamed }: Shown & { agentId: string; version: number }) {
  const content = useVersion(agentId, version).data?.content;
  const { data } = useModels();
  const model = content && (content.model ?? data?.default_model);
  return <Answering who={texts.versions.version(version)} {...{ model, isNamed }} />;
}

/**
 * @param props.draftAt `updated_at` of the draft that answers. If it is not that of `draft`, the conversation keeps an
 * earlier draft, whose model this page does not know.
 */
function OfDraft({ draft, draftAt, isNamed }: Shown & { draft: AgentDraft | null; draftAt: string }) {
  const { data } = useModels();
  const model = draft?.updated_at === draftAt ? (draft.content.model ?? data?.default_model) : undefined;
  return <Answering who={t.draft} {...{ model, isNamed }} />;
}

function Answering({ who, model, isNamed }: Shown & { who: string; model: string | undefined }) {
  const parts = isNamed || model === undefined ? [who, model] : [model];
  return <Hint size="xs">{parts.filter((part) => part !== undefined).join(' · ')}</Hint>;
}
