/** Compares and publishes an agent's saved draft, in the list of its versions. */
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import type {
  AgentDraft as SavedDraft,
  AgentVersionDetail,
} from '../../../contract/conversations/agent-versions.ts';
import type { Agent } from '../../../contract/conversations/agents.ts';
import { Dialog } from '../../components/dialogs.tsx';
import { RowActions } from '../../components/row-actions.tsx';
import { texts } from '../../messages.ts';
import { useCan } from '../../shell/session.ts';
import { isFailing, type RehearsalOfContent } from '../rehearsals/rehearsal-of-content.tsx';
import { publishDraft, putDraft } from './draft-calls.ts';
import { PublishDialog } from './publish-dialog.tsx';
import { isVersionConflict } from './use-agent-form.ts';
import { Changes } from './version-changes.tsx';
import { changesBetween, contentOf } from './version-content.ts';

const t = texts.versions;

export function DraftActions(props: {
  agent: Agent;
  draft: SavedDraft;
  /** The newest rehearsal of the draft as it is saved now. */
  rehearsal: RehearsalOfContent;
}) {
  const { agent, draft, rehearsal } = props;
  const may = useCan()('agents.manage');
  const publish = usePublish(agent, draft);
  const changes = changesBetween(contentOf(agent), draft.content);
  return (
    <RowActions
      name={t.draft.row}
      buttons={2}
      actions={[
        may && {
          label: t.draft.publish,
          isUrgent: !rehearsal || !isFailing(rehearsal),
          dialog: (close) => <PublishDialog {...{ agent, publish, changes, rehearsal, close }} />,
        },
        {
          label: t.compare,
          isQuiet: true,
          dialog: (close) => (
            <Dialog onClose={close} size="lg" title={t.draft.changesFrom(agent.version)}>
              <Changes changes={changes} />
            </Dialog>
          ),
        },
      ]}
    />
  );
}

/**
 * Returns a function that publishes the draft as it is shown. If a version was published since the draft was begun, first
 * saves the draft again, based on that version. If another user has changed the draft, shows a notification and throws.
 */
function usePublish(agent: Agent, draft: SavedDraft) {
  const queries = useQueryClient();
  return async (note: string, percent: number): Promise<AgentVersionDetail> => {
    try {
      const isStale = draft.base_version !== agent.version;
      const { updated_at } = isStale ? await putDraft(agent, draft.content, draft.updated_at) : draft;
      return await publishDraft(agent.id, note, percent, updated_at);
    } catch (refused) {
      if (isVersionConflict(refused)) notifications.show({ color: 'red', message: t.draft.changedByOthers });
      throw refused;
    } finally {
      void queries.invalidateQueries({ queryKey: ['agents'] });
    }
  };
}
