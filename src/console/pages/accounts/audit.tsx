/** The page of the audit log: filters, exports, and the events, newest first. */
import { Anchor, Group } from '@mantine/core';
import type { AuditEntry } from '../../../contract/accounts/audit.ts';
import {
  choicesOf,
  DayFilter,
  FilterBar,
  FilterSelect,
  TextFilter,
  useFilters,
} from '../../components/filters.tsx';
import { IconHistory } from '../../components/icons.tsx';
import { Page } from '../../components/page.tsx';
import { useAgents } from '../../components/queries.ts';
import { Empty } from '../../components/states.tsx';
import { PagedTable, type Column } from '../../components/table.tsx';
import { Nothing, TextLink, When } from '../../components/text.tsx';
import { texts } from '../../messages.ts';

const t = texts.audit;

const columns: readonly Column<AuditEntry>[] = [
  { label: t.columns.action, render: ({ action }) => t.actions[action] },
  { label: t.columns.target, render: (entry) => <Target {...entry} /> },
  { label: t.columns.actor, render: ({ actor }) => actor },
  { label: t.columns.at, render: ({ at }) => <When at={at} /> },
  {
    label: t.columns.address,
    render: ({ address }) => (address == null ? <Nothing /> : <span className="mono short">{address}</span>),
  },
];

/** The actions whose target is the id of a conversation. */
const inConversations: ReadonlySet<AuditEntry['action']> = new Set([
  'answer_regenerated',
  'runs_cancelled',
  'agent_paused',
  'agent_resumed',
  'person_wrote',
]);

/** Shows what the action changed: conversations and agents as links, any other text as it is recorded. */
function Target({ action, target }: AuditEntry) {
  const agent = (useAgents().data ?? []).find(({ id }) => id === target);
  const [to, name] = inConversations.has(action)
    ? [`/conversations/${target}`, t.conversation]
    : [`/agents/${target}`, agent?.name];
  if (name === undefined) return <span className="plain-text">{target}</span>;
  return (
    <TextLink to={to} title={target}>
      {name}
    </TextLink>
  );
}

export function Audit() {
  const filters = useFilters(['action', 'search']);
  const given = Object.entries(filters).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const exportOf = (format: 'csv' | 'jsonl') =>
    `/console/api/audit/export.${format}?${new URLSearchParams(given).toString()}`;
  return (
    <Page title={t.title} lead={t.lead}>
      <FilterBar filters={filters}>
        <FilterSelect name="action" label={t.filter} all={t.all} choices={choicesOf(t.actions)} width={280} />
        <TextFilter name="search" label={t.search} placeholder={t.searchHelp} maxLength={200} />
        <DayFilter name="from" label={t.from} />
        <DayFilter name="to" label={t.to} />
      </FilterBar>
      <Group>
        <Anchor href={exportOf('csv')} download="parley-audit.csv">
          {t.exportCsv}
        </Anchor>
        <Anchor href={exportOf('jsonl')} download="parley-audit.jsonl">
          {t.exportLines}
        </Anchor>
      </Group>
      <PagedTable<AuditEntry>
        path="/audit"
        filters={filters}
        label={t.table}
        columns={columns}
        empty={<Empty icon={IconHistory} title={t.emptyTitle} />}
      />
    </Page>
  );
}
