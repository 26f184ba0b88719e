/** Finds and shows the newest rehearsal of exactly the content that is about to be published. */
import { Alert, Text } from '@mantine/core';
import type { AgentDraft } from '../../../contract/conversations/agent-versions.ts';
import type { Rehearsal } from '../../../contract/rehearsals/rehearsals.ts';
import { useRead, type PageOf } from '../../components/queries.ts';
import { TextLink } from '../../components/text.tsx';
import { texts } from '../../messages.ts';
import { useCan } from '../../shell/session.ts';

const t = texts.rehearsals.ofContent;

/** A rehearsal of the content; null: of other content only; undefined: nothing is known, or there is no rehearsal. */
export type RehearsalOfContent = Rehearsal | null | undefined;

/**
 * Reads an agent's newest rehearsals that still have turns, newest first.
 * @returns undefined until they are read, and if the user may not read them
 */
export function useRehearsals(agentId: string): readonly Rehearsal[] | undefined {
  const path = `/agents/${agentId}/rehearsals`;
  return useRead<PageOf<Rehearsal>, Rehearsal[]>([path, 'newest'], path, {
    query: { limit: 30 },
    enabled: useCan()('conversations.view'),
    select: ({ data }) => data.filter(({ turns }) => turns > 0),
    refetchInterval: ({ state: { data } }) =>
      data?.data.some(({ status }) => status === 'running') === true && 5000,
  }).data;
}

/** True if the draft, as it is saved now, is what was rehearsed, with the same model. */
export const isOfDraft = ({ version, model, created_at }: Rehearsal, draft: AgentDraft): boolean =>
  version === 'draft' &&
  (model === undefined || model === draft.content.model) &&
  Date.parse(created_at) >= Date.parse(draft.updated_at);

/** @param draft null: the content is not saved, so that it has no rehearsal */
export function rehearsalOfDraft(
  rehearsals: readonly Rehearsal[] | undefined,
  draft: AgentDraft | null,
): RehearsalOfContent {
  if (rehearsals === undefined || rehearsals.length === 0) return undefined;
  return rehearsals.find((one) => draft !== null && isOfDraft(one, draft)) ?? null;
}

/** Finds the newest rehearsal of a version with the version's own model. */
export const rehearsalOfVersion = (
  rehearsals: readonly Rehearsal[] | undefined,
  version: number,
): Rehearsal | undefined => rehearsals?.find((one) => one.version === version && one.model === undefined);

/** True if a turn of an ended rehearsal does not meet its checks. */
export const isFailing = ({ status, done, passed_turns }: Rehearsal): boolean =>
  status !== 'running' && passed_turns < done;

/** @returns the path of the report, which shows the turns that do not pass, if there are any */
export function reportPath(of: Rehearsal): string {
  const path = `/agents/${of.agent_id}/rehearsals/${of.id}`;
  return isFailing(of) ? `${path}?outcome=failing` : path;
}

function textOf(of: Rehearsal): string {
  if (of.status === 'running') return t.running;
  if (isFailing(of)) return t.failing(of.done - of.passed_turns, of.done);
  return of.passed ? t.passed : t.unfinished;
}

/** A link to the rehearsal that says how it ended; without one, a link that says that there is none. */
export function RehearsalLink({ agentId, of }: { agentId: string; of: RehearsalOfContent }) {
  if (of === undefined) return null;
  if (of === null) return <TextLink to={`/agents/${agentId}/rehearsals`}>{t.none}</TextLink>;
  const color = isFailing(of) ? 'var(--mantine-color-error)' : 'var(--mantine-color-green-light-color)';
  return (
    <TextLink to={reportPath(of)} {...((isFailing(of) || of.passed) && { c: color })}>
      {textOf(of)}
    </TextLink>
  );
}

/** The link in a dialog that publishes the content, in a yellow box if the rehearsal has not passed. */
export function RehearsalNote({ agentId, of }: { agentId: string; of: RehearsalOfContent }) {
  if (of === undefined) return null;
  const link = <RehearsalLink agentId={agentId} of={of} />;
  if (of === null || of.passed) return <Text size="sm">{link}</Text>;
  return (
    <Alert color="yellow" role="note">
      {link}
    </Alert>
  );
}
