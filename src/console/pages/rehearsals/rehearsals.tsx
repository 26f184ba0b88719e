/** The page of an agent's rehearsals and its test set. */
import { Button, Group, Stack, Text } from '@mantine/core';
import { Link } from 'wouter';
import type { Agent } from '../../../contract/conversations/agents.ts';
import type { Rehearsal, TestTurn } from '../../../contract/rehearsals/rehearsals.ts';
import { Actor } from '../../components/actor.tsx';
import { DialogButton } from '../../components/dialogs.tsx';
import { IconPlayerPlay, IconPlus } from '../../components/icons.tsx';
import { Info } from '../../components/info.tsx';
import { Section } from '../../components/page.tsx';
import { deletion, RowActions } from '../../components/row-actions.tsx';
import { Empty } from '../../components/states.tsx';
import { PagedTable, RowLink, type Column } from '../../components/table.tsx';
import { Ago, Hint, TextLink } from '../../components/text.tsx';
import { texts } from '../../messages.ts';
import { useCan } from '../../shell/session.ts';
import { AgentFrame } from '../conversations/agent-frame.tsx';
import { useSavedDraft } from '../conversations/use-saved-draft.ts';
import { RehearsalChange, RehearsalOutcomes, RehearsalResult, whatOf } from './rehearsal-result.tsx';
import { StartRehearsal } from './start-rehearsal.tsx';

const t = texts.rehearsals;

export function Rehearsals() {
  return <AgentFrame>{(agent) => <Shown key={agent.id} agent={agent} />}</AgentFrame>;
}

const columns: readonly Column<Rehearsal>[] = [
  {
    label: t.columns.what,
    render: (row) => <RowLink to={`/agents/${row.agent_id}/rehearsals/${row.id}`}>{whatOf(row)}</RowLink>,
  },
  { label: t.columns.result, isBelowName: true, render: (row) => <RehearsalResult of={row} /> },
  { label: t.columns.answers, before: '', render: (row) => <RehearsalOutcomes of={row} /> },
  { label: t.columns.change, before: '', render: (row) => <RehearsalChange of={row} /> },
  {
    label: t.columns.started,
    before: '',
    render: ({ author, created_at }) => (
      <div>
        <Ago at={created_at} />
        <div>
          <Actor text={author} />
        </div>
      </div>
    ),
  },
];

function Shown({ agent }: { agent: Agent }) {
  const may = useCan()('agents.manage');
  const path = `/agents/${agent.id}`;
  const hasDraft = useSavedDraft(agent.id).data != null;
  const start = may && (
    <DialogButton leftSection={<IconPlus />} label={t.start.label}>
      {(close) => <StartRehearsal agent={agent} hasDraft={hasDraft} close={close} />}
    </DialogButton>
  );
  return (
    <Stack gap="xl">
      <Section
        title={t.list}
        lead={
          <>
            {t.lead} <Info text={t.listLead} />
          </>
        }
        actions={start}
        gap="md"
      >
        <PagedTable<Rehearsal>
          path={`${path}/rehearsals`}
          label={t.table}
          columns={columns}
          isLinked
          empty={<Empty icon={IconPlayerPlay} title={t.emptyTitle} text={t.emptyText} />}
        />
      </Section>
      <Section title={t.testSet} lead={t.testSetLead} gap="md">
        <PagedTable<TestTurn>
          path={`${path}/test-turns`}
          label={t.testTable}
          columns={testColumns}
          actions={
            may
              ? ({ id, input }) => (
                  <RowActions
                    name={inputText(input)}
                    buttons={0}
                    actions={[
                      deletion({
                        ...t.remove(inputText(input)),
                        path: `${path}/test-turns/${id}`,
                        query: `${path}/test-turns`,
                      }),
                    ]}
                  />
                )
              : undefined
          }
          empty={
            <Group className="panel" p="md" gap="sm" justify="space-between">
              <div>
                <Text size="sm" fw={600}>
                  {t.testEmptyTitle}
                </Text>
                <Hint>{t.testEmptyText}</Hint>
              </div>
              <Button
                component={Link}
                href={`/conversations?status=all&agent_id=${agent.id}`}
                variant="default"
                size="xs"
              >
                {t.toConversations}
              </Button>
            </Group>
          }
        />
      </Section>
    </Stack>
  );
}

const inputText = (input: string): string => (input === '' ? t.noInput : input);

const testColumns: readonly Column<TestTurn>[] = [
  {
    label: t.testColumns.input,
    render: ({ input, conversation_id }) => (
      <TextLink to={`/conversations/${conversation_id}`}>
        <Text span inherit lineClamp={2} className="plain-text">
          {inputText(input)}
        </Text>
      </TextLink>
    ),
  },
  { label: t.testColumns.author, render: ({ author }) => <Actor text={author} /> },
  { label: t.testColumns.added, render: ({ created_at }) => <Ago at={created_at} /> },
];
