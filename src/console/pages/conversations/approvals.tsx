/**
 * The page of approvals: the tool calls that wait for a decision, and a list of the decided ones with filters. Never
 * renders the calls' arguments as HTML.
 */
import { Box, Group, Stack, Text } from '@mantine/core';
import type { Approval } from '../../../contract/conversations/approvals.ts';
import { ApprovalBadge, ApprovalDeadline, ApprovalDecision } from '../../components/approval-decision.tsx';
import { AgentFilter, choicesOf, FilterBar, FilterSelect, useFilters } from '../../components/filters.tsx';
import { IconCircleCheck, IconTool } from '../../components/icons.tsx';
import { Page, Section } from '../../components/page.tsx';
import { IconTile } from '../../components/rows.tsx';
import { maxWaitingApprovals, useWaitingApprovals } from '../../components/waiting-approvals.ts';
import { Empty, Loaded } from '../../components/states.tsx';
import { PagedTable, RowLink, type Column } from '../../components/table.tsx';
import { plainArguments, plainToolName } from '../../components/plain-tool.ts';
import { Ago, Brief, Hint, Multiline, Nothing, TextLink } from '../../components/text.tsx';
import { ToolArguments, ToolName } from '../../components/tool-text.tsx';
import { texts } from '../../messages.ts';
import { ContactAvatar } from './contact-avatar.tsx';
import { nameOf } from './contact-name.ts';

const t = texts.approvals;
const { waiting: _, ...decidedStatuses } = t.statuses;

export function Approvals() {
  const query = useWaitingApprovals();
  const { status, agent_id } = useFilters(['status', 'agent_id']);
  return (
    <Page title={t.title} lead={t.lead}>
      <Section title={t.waiting} label={t.waiting}>
        <Loaded query={query}>{(waiting) => <Waiting approvals={waiting} />}</Loaded>
      </Section>
      <Section title={t.history} label={t.history}>
        <FilterBar filters={{ status, agent_id }}>
          <FilterSelect
            name="status"
            label={t.statusFilter}
            all={t.allStatuses}
            choices={choicesOf(decidedStatuses)}
          />
          <AgentFilter />
        </FilterBar>
        <Stack gap="sm" className="decided">
          <PagedTable<Approval>
            path="/approvals"
            filters={{ status: status ?? 'decided', agent_id }}
            label={t.table}
            columns={columns}
            isLinked
            isLog
            empty={<Empty icon={IconCircleCheck} title={t.none} text={t.noneText} />}
          />
        </Stack>
      </Section>
    </Page>
  );
}

function Waiting({ approvals }: { approvals: readonly Approval[] }) {
  if (approvals.length === 0) return <Empty icon={IconCircleCheck} title={t.nothing} text={t.nothingText} />;
  const soonestFirst = approvals.toSorted((one, other) => one.expires_at.localeCompare(other.expires_at));
  return (
    <Stack gap="sm">
      {soonestFirst.map((approval, index) => (
        <Request key={approval.id} approval={approval} number={index + 1} />
      ))}
      {approvals.length === maxWaitingApprovals && <Hint>{t.more}</Hint>}
    </Stack>
  );
}

/** @param props.number place on the page, from 1. Distinguishes calls of the same tool for screen readers. */
function Request({ approval, number }: { approval: Approval; number: number }) {
  const { id, tool, tool_description, agent_name, conversation_id, customer_message, asked } = approval;
  const label = plainToolName(tool);
  return (
    <article className="panel approval" aria-label={label}>
      <div className="approval-head">
        <IconTile icon={IconTool} />
        <div className="approval-call">
          <Hint>{t.wantsToCall(agent_name)}</Hint>
          <Text fw={650} size="xl" lh={1.3}>
            <ToolName tool={tool} />
          </Text>
          {tool_description !== undefined && (
            <Hint lineClamp={3} className="plain-text">
              {firstSentence(tool_description)}
            </Hint>
          )}
        </div>
        <ApprovalDeadline of={approval} />
      </div>
      <div className="approval-body">
        <ToolArguments
          json={JSON.stringify(approval.arguments)}
          schemas={approval.argument_schemas}
          label={t.arguments(label, number)}
          isLarge
        />
        <div className="approval-contact">
          <Group gap="sm" wrap="nowrap">
            <ContactAvatar of={approval} size={32} />
            <Box miw={0}>
              <Text fw={600} size="sm" truncate>
                {nameOf(approval)}
              </Text>
              <Hint size="xs">
                {t.requested} <Ago at={approval.requested_at} /> ·{' '}
                <TextLink to={`/conversations/${conversation_id}`} size="xs">
                  {t.conversation}
                </TextLink>
              </Hint>
            </Box>
          </Group>
          {customer_message !== undefined && (
            <blockquote className="approval-message" aria-label={t.writes}>
              <Multiline lineClamp={8}>{customer_message}</Multiline>
            </blockquote>
          )}
          {asked !== undefined && <Hint size="xs">{t.asked(asked.map(askedText).join('; '))}</Hint>}
        </div>
      </div>
      <div className="approval-foot">
        <ApprovalDecision id={id} tool={label} />
      </div>
    </article>
  );
}

/** Returns the text until its first period. */
const firstSentence = (text: string): string => /^.+?\.(?=\s|$)/s.exec(text)?.[0] ?? text;

function askedText({ name, status, error }: NonNullable<Approval['asked']>[number]): string {
  return `${name} (${t.askedStatuses[status]}${error === undefined ? '' : `: ${error}`})`;
}

const columns: readonly Column<Approval>[] = [
  {
    label: t.columns.tool,
    render: ({ tool, conversation_id }) => (
      <RowLink to={`/conversations/${conversation_id}`}>{plainToolName(tool)}</RowLink>
    ),
  },
  { label: t.columns.status, isStatus: true, render: ({ status }) => <ApprovalBadge status={status} /> },
  { label: t.columns.arguments, render: (approval) => <Arguments of={approval} /> },
  { label: t.columns.agent, isMinor: true, render: ({ agent_name }) => <Brief text={agent_name} /> },
  { label: t.columns.contact, render: (approval) => <Brief text={nameOf(approval)} /> },
  {
    label: t.columns.by,
    before: texts.audit.by,
    render: (approval) => <Decider of={approval} />,
  },
  {
    label: t.columns.when,
    isTime: true,
    render: ({ decided_at, requested_at }) => <Ago at={decided_at ?? requested_at} />,
  },
];

/** Maximum number of arguments that a row shows. Chosen. */
const maxShown = 4;

/** Shows the first arguments, each on one line with its name dimmed. */
function Arguments({ of }: { of: Approval }) {
  const json = JSON.stringify(of.arguments);
  const listed = plainArguments(json, of.argument_schemas);
  if (listed === undefined) return <Brief text={json} />;
  return (
    <div className="argument-line">
      {listed.slice(0, maxShown).map(({ name, label, value }) => (
        <span key={name} title={`${label} ${value}`}>
          <span className="argument-name">{label}</span> {value}
        </span>
      ))}
      {listed.length > maxShown && <span className="argument-name">…</span>}
    </div>
  );
}

function Decider({ of: { decided_by, note } }: { of: Approval }) {
  if (decided_by === undefined) return <Nothing />;
  const { name = t.system, phone } = decided_by;
  return (
    <>
      <span className="plain-text">{phone === undefined ? name : `${name} (${phone})`}</span>
      {note !== undefined && (
        <Hint size="xs" lineClamp={2}>
          {note}
        </Hint>
      )}
    </>
  );
}
