/** The page of an agent's versions: a list of all of them, and one of them compared with another. */
import { Badge, Drawer, Group, Select, Stack } from '@mantine/core';
import { useLocation } from 'wouter';
import type { ListedAgentVersion } from '../../../contract/conversations/agent-versions.ts';
import type { Agent } from '../../../contract/conversations/agents.ts';
import { Actor } from '../../components/actor.tsx';
import { useFilter } from '../../components/filters.tsx';
import { useWholeList } from '../../components/queries.ts';
import { Loaded } from '../../components/states.tsx';
import { Facts, Hint, Label, When, type Fact } from '../../components/text.tsx';
import { texts } from '../../messages.ts';
import { AgentFrame } from './agent-frame.tsx';
import { Changes, Content, useVersion } from './version-changes.tsx';
import { Marks, VersionTable } from './version-table.tsx';

const t = texts.versions;

export function Versions() {
  return <AgentFrame lead={t.lead}>{(agent) => <Shown key={agent.id} agent={agent} />}</AgentFrame>;
}

function Shown({ agent }: { agent: Agent }) {
  const path = `/agents/${agent.id}/versions`;
  // All stored versions, newest first.
  const query = useWholeList<ListedAgentVersion>(['agents', agent.id, 'versions'], path);
  const [opened] = useFilter('version');
  const [, navigate] = useLocation();
  const number = Number(opened);
  return (
    <Loaded query={query}>
      {(versions) => (
        <>
          <VersionTable agent={agent} versions={versions} path={path} />
          <Drawer
            opened={opened !== undefined}
            onClose={() => navigate(path)}
            size="min(720px, 100vw)"
            title={t.detailTitle(number)}
          >
            {opened !== undefined && (
              <Opened key={number} agentId={agent.id} number={number} versions={versions} />
            )}
          </Drawer>
        </>
      )}
    </Loaded>
  );
}

function Opened(props: { agentId: string; number: number; versions: readonly ListedAgentVersion[] }) {
  const { agentId, number, versions } = props;
  const [chosen, choose] = useFilter('with');
  const query = useVersion(agentId, number, chosen === undefined ? undefined : Number(chosen));
  return (
    <Loaded query={query}>
      {(version) => {
        const { author, created_at, note, compared_with, changes, content, restores } = version;
        const facts: Fact[] = [
          [t.columns.author, <Actor key="author" text={author} />],
          [t.columns.at, created_at === null ? t.notRecorded : <When at={created_at} />],
          note !== null && [t.columns.note, <span className="plain-text">{note}</span>],
        ];
        const others = versions.filter((one) => one.version !== number);
        return (
          <Stack gap="lg">
            {(version.published || version.candidate_percent !== null || restores !== null) && (
              <Group gap={8}>
                <Marks version={version} />
                {restores !== null && <Badge color="gray">{t.restores(restores)}</Badge>}
              </Group>
            )}
            <div className="version-facts">
              <Facts facts={facts} />
            </div>
            {compared_with === null ? (
              <Hint>{t.first}</Hint>
            ) : (
              <Stack gap="sm">
                <Select
                  label={t.compareWith}
                  data={others.map((one) => ({
                    value: String(one.version),
                    label: t.option(one.version, markOf(one)),
                  }))}
                  value={String(compared_with)}
                  onChange={(value) => choose(value ?? undefined)}
                  searchable
                  maw={320}
                />
                <Label>{t.changesFrom(compared_with, number)}</Label>
                <Changes changes={changes} />
              </Stack>
            )}
            <Stack gap="xs">
              <Label>{t.content}</Label>
              <Content content={content} />
            </Stack>
          </Stack>
        );
      }}
    </Loaded>
  );
}

function markOf({ published, candidate_percent }: ListedAgentVersion): string | undefined {
  if (published) return t.publishedMark;
  return candidate_percent === null ? undefined : t.candidateMark;
}
