/** The audit log, newest first. */
import { Anchor, Group, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { AuditEntry } from '../../../contract/accounts/audit.ts';
import { choicesOf, FilterSelect, useFilter } from '../../components/filters.tsx';
import { IconHistory } from '../../components/icons.tsx';
import { Page } from '../../components/page.tsx';
import { Empty } from '../../components/states.tsx';
import { PagedTable, type Column } from '../../components/table.tsx';
import { When } from '../../components/text.tsx';
import { texts } from '../../messages.ts';

const t = texts.audit;

const columns: readonly Column<AuditEntry>[] = [
  { label: t.columns.action, render: ({ action }) => t.actions[action] },
  { label: t.columns.target, render: ({ target }) => target },
  { label: t.columns.actor, render: ({ actor }) => actor },
  { label: t.columns.at, render: ({ at }) => <When at={at} /> },
  { label: t.columns.address, render: ({ address }) => <span className="mono short">{address ?? '–'}</span> },
];

/** @returns the start of this day in the browser's time zone, or of the day after it */
function startOf(day: string | undefined, daysLater = 0): string | undefined {
  const start = new Date(`${day ?? ''}T00:00:00`);
  if (Number.isNaN(start.getTime())) return undefined;
  start.setDate(start.getDate() + daysLater);
  return start.toISOString();
}

function DayFilter({ name, label }: { name: string; label: string }) {
  const [day, choose] = useFilter(name);
  return (
    <TextInput
      type="date"
      label={label}
      value={day ?? ''}
      onChange={({ currentTarget }) => choose(currentTarget.value)}
      w={{ base: '100%', xs: 160 }}
    />
  );
}

export function Audit() {
  const [action] = useFilter('action');
  const [text, choose] = useFilter('search');
  const [from] = useFilter('from');
  const [to] = useFilter('to');
  const [search] = useDebouncedValue(text, 300);
  const filters = { action, search, from: startOf(from), to: startOf(to, 1) };
  const given = Object.entries(filters).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const exportOf = (format: 'csv' | 'jsonl') =>
    `/console/api/audit/export.${format}?${new URLSearchParams(given).toString()}`;
  return (
    <Page title={t.title} lead={t.lead}>
      <Group align="flex-end">
        <FilterSelect name="action" label={t.filter} all={t.all} choices={choicesOf(t.actions)} width={280} />
        <TextInput
          label={t.search}
          placeholder={t.searchHelp}
          value={text ?? ''}
          maxLength={200}
          onChange={({ currentTarget }) => choose(currentTarget.value)}
          w={{ base: '100%', xs: 240 }}
        />
        <DayFilter name="from" label={t.from} />
        <DayFilter name="to" label={t.to} />
      </Group>
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
