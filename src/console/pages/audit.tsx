/** What people did, newest first. */
import { Select } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { useState } from 'react';
import type { AuditEntry } from '../../contract/console/audit.ts';
import { DataTable, type Column } from '../pieces/data-table.tsx';
import { Empty } from '../pieces/empty.tsx';
import { Loaded } from '../pieces/loaded.tsx';
import { More, usePages } from '../pieces/more.tsx';
import { Page } from '../pieces/page.tsx';
import { When } from '../pieces/when.tsx';
import { words } from '../words.ts';

const w = words.audit;

const columns: readonly Column<AuditEntry>[] = [
  { label: w.columns.action, lead: true, render: ({ action }) => w.actions[action] },
  { label: w.columns.target, render: ({ target }) => target },
  { label: w.columns.actor, render: ({ actor }) => actor },
  { label: w.columns.at, render: ({ at }) => <When at={at} /> },
  { label: w.columns.address, render: ({ address }) => <span className="mono">{address ?? '–'}</span> },
];

export function Audit() {
  const [action, setAction] = useState<string | null>(null);
  const { query, rows } = usePages<AuditEntry>('/audit', { action: action ?? undefined });
  return (
    <Page title={w.title} lead={w.lead}>
      <Select
        label={w.filter}
        placeholder={w.all}
        data={Object.entries(w.actions).map(([value, label]) => ({ value, label }))}
        value={action}
        onChange={setAction}
        clearable
        clearButtonProps={{ 'aria-label': w.all }}
        searchable
        maw={280}
      />
      <Loaded query={query}>
        {() =>
          rows === undefined || rows.length === 0 ? (
            <Empty icon={IconHistory} title={w.emptyTitle} />
          ) : (
            <DataTable label={w.table} rows={rows} rowKey={({ id }) => id} columns={columns} />
          )
        }
      </Loaded>
      <More query={query} />
    </Page>
  );
}
