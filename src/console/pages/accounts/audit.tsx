/** The audit log, newest first. */
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

export function Audit() {
  const [action] = useFilter('action');
  return (
    <Page title={t.title} lead={t.lead}>
      <FilterSelect name="action" label={t.filter} all={t.all} choices={choicesOf(t.actions)} width={280} />
      <PagedTable<AuditEntry>
        path="/audit"
        filters={{ action }}
        label={t.table}
        columns={columns}
        empty={<Empty icon={IconHistory} title={t.emptyTitle} />}
      />
    </Page>
  );
}
