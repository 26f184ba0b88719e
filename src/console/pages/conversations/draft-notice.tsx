/** Shows that the form contains the agent's draft, and whether a version was published since the draft was saved. */
import { Alert, Button, Group, Text } from '@mantine/core';
import { Link } from 'wouter';
import type { AgentDraft as SavedDraft } from '../../../contract/conversations/agent-versions.ts';
import type { Agent } from '../../../contract/conversations/agents.ts';
import { actorText } from '../../components/actor.tsx';
import { ConfirmButton } from '../../components/dialogs.tsx';
import { Fold, When } from '../../components/text.tsx';
import { texts } from '../../messages.ts';
import { Changes } from './version-changes.tsx';
import { changesBetween, contentOf } from './version-content.ts';

const t = texts.versions.draft;

export function DraftNotice(props: {
  agent: Agent;
  saved: SavedDraft;
  may: boolean;
  /** Opens the dialog that publishes the draft; undefined while the form has changes, which the save bar publishes. */
  publish: (() => void) | undefined;
  discardDraft: () => Promise<void>;
}) {
  const { agent, saved, may, publish, discardDraft } = props;
  const changes = changesBetween(contentOf(agent), saved.content);
  const isStale = saved.base_version !== agent.version;
  return (
    <Alert color={isStale ? 'yellow' : 'indigo'} role="note" className="draft-notice">
      <div className="draft-notice-head">
        <Text size="sm">
          <Text span inherit fw={600}>
            {t.noticeTitle}
          </Text>
          {` · ${t.by(actorText(saved.author))} `}
          <When at={saved.updated_at} />.{' '}
          <span className="draft-notice-sentence">
            {isStale ? t.stale(agent.version, saved.base_version) : t.answers}
          </span>
        </Text>
        {may && (
          <Group gap="xs">
            {publish !== undefined && (
              <Button size="xs" onClick={publish}>
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
      {changes.length > 0 && (
        <Fold head={t.changes(changes.map(({ field }) => texts.versions.fields[field]).join(', '))}>
          <Changes changes={changes} />
        </Fold>
      )}
    </Alert>
  );
}
