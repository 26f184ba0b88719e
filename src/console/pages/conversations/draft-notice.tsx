/** Shows that the form contains the agent's draft, what it changes, and whether a version was published since the draft was saved. */
import { Alert, Button, Group, Text, UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link } from 'wouter';
import type { AgentDraft as SavedDraft } from '../../../contract/conversations/agent-versions.ts';
import type { Agent } from '../../../contract/conversations/agents.ts';
import { useActorText } from '../../components/actor.tsx';
import { ConfirmButton } from '../../components/dialogs.tsx';
import { IconChevronDown, IconChevronUp } from '../../components/icons.tsx';
import { Info } from '../../components/info.tsx';
import { Ago } from '../../components/text.tsx';
import { texts } from '../../messages.ts';
import { isFailing, RehearsalLink, type RehearsalOfContent } from '../rehearsals/rehearsal-of-content.tsx';
import { Changes } from './version-changes.tsx';
import { changesBetween, contentOf } from './version-content.ts';

const t = texts.versions.draft;

export function DraftNotice(props: {
  agent: Agent;
  saved: SavedDraft;
  may: boolean;
  /** The newest rehearsal of the draft as it is saved now. */
  rehearsal: RehearsalOfContent;
  /** Opens the dialog that publishes the draft; undefined while the form has changes, which the save bar publishes. */
  publish: (() => void) | undefined;
  discardDraft: () => Promise<void>;
}) {
  const { agent, saved, may, rehearsal, publish, discardDraft } = props;
  const changes = changesBetween(contentOf(agent), saved.content);
  const isStale = saved.base_version !== agent.version;
  const [isOpen, { toggle }] = useDisclosure(false);
  const name = useActorText()(saved.author);
  return (
    <Alert color={isStale ? 'yellow' : 'indigo'} role="note" className="draft-notice">
      <div className="draft-notice-head">
        <div className="draft-notice-line">
          <Text span inherit fw={600}>
            {t.noticeTitle}
          </Text>{' '}
          <span>
            {`· ${t.savedAt} `}
            <Ago at={saved.updated_at} /> <span title={saved.author}>{t.by(name)}</span>
            {changes.length > 0 && ' ·'}
          </span>
          {changes.length > 0 && (
            <UnstyledButton className="draft-changes" aria-expanded={isOpen} onClick={toggle}>
              {t.changes(changes.map(({ field }) => texts.versions.fields[field]).join(', '))}
              {isOpen ? <IconChevronUp size={14} /> : <IconChevronDown size={14} />}
            </UnstyledButton>
          )}
          {!isStale && <Info text={t.answers} />}
        </div>
        {may && (
          <Group gap="xs">
            {publish !== undefined && (
              <Button
                size="xs"
                variant={rehearsal && isFailing(rehearsal) ? 'default' : 'filled'}
                onClick={publish}
              >
                {t.publish}
              </Button>
            )}
            <Button
              component={Link}
              href={`/agents/${agent.id}/playground?draft`}
              size="xs"
              variant="default"
            >
              {t.tryIt}
            </Button>
            <ConfirmButton size="xs" variant="subtle" color="dark" {...t.discard} run={discardDraft} />
          </Group>
        )}
      </div>
      <RehearsalLink agentId={agent.id} of={rehearsal} />
      {isStale && <Text size="sm">{t.stale(agent.version, saved.base_version)}</Text>}
      {isOpen && (
        <div className="draft-notice-changes">
          <Changes changes={changes} />
        </div>
      )}
    </Alert>
  );
}
