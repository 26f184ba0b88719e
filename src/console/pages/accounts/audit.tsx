/** The audit log, newest first. */
import { IconHistory } from '../../components/icons.tsx';
import type { AuditEntry } from '../../../contract/accounts/audit.ts';
import type { Column } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { choicesOf, FilterSelect } from '../../components/filter-select.tsx';
import { Page } from '../../components/page.tsx';
import { PagedTable } from '../../components/paged-table.tsx';
import { useFilter } from '../../components/use-filter.ts';
import { When } from '../../components/when.tsx';
import { words } from '../../messages.ts';

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
