/** The audit log, newest first. */
import type { AuditEntry } from '../../../contract/accounts/audit.ts';
import { choicesOf, FilterSelect, useFilter } from '../../components/filters.tsx';
import { IconHistory } from '../../components/icons.tsx';
import { Page } from '../../components/page.tsx';
import { Empty } from '../../components/states.tsx';
import { PagedTable, type Column } from '../../components/table.tsx';
import { When } from '../../components/text.tsx';
import { words } from '../../messages.ts';

const w = words.audit;

const columns: readonly Column<AuditEntry>[] = [
  { label: w.columns.action, render: ({ action }) => w.actions[action] },
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
        columns={columns}
        empty={<Empty icon={IconHistory} title={w.emptyTitle} />}
      />
    </Page>
  );
}
