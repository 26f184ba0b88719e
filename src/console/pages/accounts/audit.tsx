/** The page of the audit log: filters, exports, and the events by day, newest first. */
import { Button, Group, Menu, Stack } from '@mantine/core';
import type { ListedAuditEntry } from '../../../contract/accounts/audit.ts';
import type { ApiToken } from '../../../contract/accounts/tokens.ts';
import { ActorWithAvatar, useActorText } from '../../components/actor.tsx';
import { choicesOf, FilterBar, FilterSelect, TextFilter, useFilters } from '../../components/filters.tsx';
import { dayOf } from '../../components/format.ts';
import { IconChevronDown, IconHistory } from '../../components/icons.tsx';
import { Page } from '../../components/page.tsx';
import { PeriodFilter } from '../../components/period-filter.tsx';
import { useMembers } from '../../components/people.ts';
import { useList } from '../../components/queries.ts';
import { Empty } from '../../components/states.tsx';
import { PagedTable, usePagedRows, type Column } from '../../components/table.tsx';
import { When } from '../../components/text.tsx';
import { texts } from '../../messages.ts';
import { useCan, useSession } from '../../shell/session.ts';
import { AuditTarget } from './audit-target.tsx';

const t = texts.audit;

const columns: readonly Column<ListedAuditEntry>[] = [
  { label: t.columns.action, render: ({ action }) => <span className="whole">{t.actions[action]}</span> },
  { label: t.columns.target, render: (entry) => <AuditTarget {...entry} /> },
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

/** The users, API tokens and the system, by whose actions the list can be filtered. */
function useActorChoices(rows: readonly ListedAuditEntry[]) {
  const { user } = useSession();
  const actorText = useActorText();
  const { data: members = [] } = useMembers();
  const { data: tokens = [] } = useList<ApiToken>('tokens', '/tokens', { enabled: useCan()('tokens.view') });
  // Actors that the user may not list are chosen from the entries that are shown.
  const acting = rows.map(({ actor_id, actor }) => [actor_id ?? system, actorText(actor)] as const);
  const labels = new Map([
    ...acting,
    ...tokens.map(({ id, name }) => [id, `${name} (${t.kinds.token})`] as const),
    ...members.map(({ user_id, name }) => [user_id, name] as const),
    [user.id, user.name] as const,
    [system, t.system] as const,
  ]);
  return choicesOf(Object.fromEntries(labels)).toSorted((a, b) => a.label.localeCompare(b.label));
}
const system = 'system';

export function Audit() {
  const filters = useFilters(['action', 'actor', 'search']);
  const { data } = usePagedRows<ListedAuditEntry>('/audit', filters);
  const actors = useActorChoices(data?.pages.flatMap((page) => page.data) ?? []);
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
          <FilterSelect name="actor" label={t.columns.actor} all={t.allActors} choices={actors} width={200} />
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
