/** What people did, newest first. */
import { IconHistory } from '@tabler/icons-react';
import type { AuditEntry } from '../../contract/console/audit.ts';
import type { Column } from '../pieces/data-table.tsx';
import { Empty } from '../pieces/empty.tsx';
import { choicesOf, FilterSelect } from '../pieces/filter-select.tsx';
import { Page } from '../pieces/page.tsx';
import { PagedTable } from '../pieces/paged-table.tsx';
import { useFilter } from '../pieces/use-filter.ts';
import { When } from '../pieces/when.tsx';
import { words } from '../words.ts';

const w = words.audit;

const columns: readonly Column<AuditEntry>[] = [
  { label: w.columns.action, lead: true, render: ({ action }) => w.actions[action] },
  { label: w.columns.target, render: ({ target }) => target },
  { label: w.columns.actor, render: ({ actor }) => actor },
  { label: w.columns.at, render: ({ at }) => <When at={at} /> },
  { label: w.columns.address, render: ({ address }) => <span className="mono short">{address ?? '–'}</span> },
];

export function Audit() {
  const [action] = useFilter('action');
  return (
    <Page title={w.title} lead={w.lead}>
      <FilterSelect name="action" label={w.filter} all={w.all} choices={choicesOf(w.actions)} width={280} />
      <PagedTable<AuditEntry>
        path="/audit"
        filters={{ action }}
        label={w.table}
        rowKey={({ id }) => id}
        columns={columns}
        empty={<Empty icon={IconHistory} title={w.emptyTitle} />}
      />
    </Page>
  );
}
