/** The page of the audit log: filters, exports, and the events by day, newest first. */
import { Button, Group, Menu, Stack } from '@mantine/core';
import type { ListedAuditEntry } from '../../../contract/accounts/audit.ts';
import { ActorWithAvatar, Person } from '../../components/actor.tsx';
import { choicesOf, FilterBar, FilterSelect, TextFilter, useFilters } from '../../components/filters.tsx';
import { dayOf } from '../../components/format.ts';
import { IconChevronDown, IconHistory } from '../../components/icons.tsx';
import { Page } from '../../components/page.tsx';
import { PeriodFilter } from '../../components/period-filter.tsx';
import { plainToolName } from '../../components/plain-tool.ts';
import { Empty } from '../../components/states.tsx';
import { PagedTable, type Column } from '../../components/table.tsx';
import { TextLink, When } from '../../components/text.tsx';
import { texts } from '../../messages.ts';
import { useMayOpen } from '../../shell/may-open.ts';

const t = texts.audit;

const columns: readonly Column<ListedAuditEntry>[] = [
  { label: t.columns.action, render: ({ action }) => <span className="whole">{t.actions[action]}</span> },
  { label: t.columns.target, render: (entry) => <Target {...entry} /> },
  {
    label: t.columns.actor,
    before: t.by,
    render: ({ actor, action }) => <ActorWithAvatar text={actor} isTool={action === 'tool_action_run'} />,
  },
  { label: t.columns.at, isTime: true, render: ({ at }) => <When at={at} timeOnly /> },
  {
    label: t.columns.address,
    before: '·',
    render: ({ address }) => <span className={address === null ? 'nothing' : 'ip-address'}>{address}</span>,
  },
];

/** The actions whose target is the id of a conversation. */
const inConversations: ReadonlySet<ListedAuditEntry['action']> = new Set([
  'answer_regenerated',
  'runs_cancelled',
  'agent_paused',
  'agent_resumed',
  'person_wrote',
  'note_written',
  'note_deleted',
]);

/** The actions whose target begins with the name of a tool. */
const ofTools: ReadonlySet<ListedAuditEntry['action']> = new Set([
  'tool_action_run',
  'approval_given',
  'approval_refused',
  'approval_expired',
]);

/** Returns the text with the plain name of the tool with which it begins, and without the kind of the id after it. */
const readable = (text: string): string =>
  text.replace(/^[\w-]+/, (tool) => plainToolName(tool)).replace(/, approval $/, ', ');

const ids = /((?:conversation )?[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})/;
const idLength = 36;

/**
 * Shows what the action changed as it is recorded, with a link or a name instead of each id. Shows nothing for
 * what an actor did to itself.
 */
function Target({ action, actor, target, agents, contacts }: ListedAuditEntry) {
  if (target === actor) return <span className="nothing" />;
  const [what = '', assignee] = action === 'conversation_assigned' ? target.split(assigned) : [target];
  return (
    <span className="plain-text whole">
      {what.split(ids).map((part, index) => {
        if (index % 2 === 0) return ofTools.has(action) ? readable(part) : part;
        const isConversation = inConversations.has(action) || part.length > idLength;
        return <Named key={index} text={part} {...{ isConversation, agents, contacts }} />;
      })}
      {assignee !== undefined && (
        <>
          {assigned}
          {assignee.includes('@') ? <Person email={assignee} /> : assignee}
        </>
      )}
    </span>
  );
}

/** Before the email of the member to whom a conversation is assigned. */
const assigned = ' → ';

/** Shows the first part of an id, which is enough to tell rows apart. The whole id is shown on hover. */
const shortened = (text: string) => `${text.slice(0, text.length - idLength + 8)}…`;

/**
 * Shows a conversation or approval, by the contact's name, or an agent as a link if the user may open it, a deleted
 * agent by its name, and the start of any other id.
 */
function Named(
  props: { text: string; isConversation: boolean } & Pick<ListedAuditEntry, 'agents' | 'contacts'>,
) {
  const { text, isConversation, agents, contacts } = props;
  const id = text.slice(-idLength);
  const mayOpen = useMayOpen();
  const agent = agents.find((one) => one.id === id);
  const within = contacts.find((one) => one.id === id);
  if (within !== undefined || (isConversation && mayOpen('/conversations')))
    return (
      <TextLink to={`/conversations/${within?.conversation_id ?? id}`} title={id}>
        {within?.name ?? t.conversation}
      </TextLink>
    );
  if (agent?.is_deleted === false)
    return (
      <TextLink to={`/agents/${id}`} title={id}>
        {agent.name}
      </TextLink>
    );
  return <span title={id}>{agent?.name ?? shortened(text)}</span>;
}

export function Audit() {
  const filters = useFilters(['action', 'search']);
  const given = Object.entries(filters).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const exportOf = (format: 'csv' | 'jsonl') => ({
    href: `/console/api/audit/export.${format}?${new URLSearchParams(given).toString()}`,
    download: `parley-audit.${format}`,
  });
  return (
    <Page title={t.title} lead={t.lead}>
      <Group justify="space-between" align="end" gap="sm">
        <FilterBar filters={filters}>
          <FilterSelect
            name="action"
            label={t.filter}
            all={t.all}
            choices={choicesOf(t.actions)}
            width={220}
          />
          <TextFilter
            name="search"
            label={t.search}
            placeholder={t.searchHelp}
            maxLength={200}
            w={{ base: '100%', xs: 240 }}
          />
          <PeriodFilter />
        </FilterBar>
        <Menu position="bottom-end" shadow="md" withinPortal={false} withInitialFocusPlaceholder={false}>
          <Menu.Target>
            <Button
              variant="default"
              rightSection={<IconChevronDown size={14} />}
              ml={{ base: 0, sm: 'auto' }}
            >
              {t.export}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item component="a" {...exportOf('csv')}>
              {t.exportCsv}
            </Menu.Item>
            <Menu.Item component="a" {...exportOf('jsonl')}>
              {t.exportLines}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </Group>
      <Stack gap="lg" className="audit">
        <PagedTable<ListedAuditEntry>
          path="/audit"
          filters={filters}
          label={t.table}
          columns={columns}
          isLog
          groupOf={({ at }) => dayOf(at)}
          empty={<Empty icon={IconHistory} title={t.emptyTitle} />}
        />
      </Stack>
    </Page>
  );
}
