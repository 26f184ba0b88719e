/** The page of the request log: filters, and the API requests of all tokens, newest first. */
import { Anchor, Badge, Group, Stack } from '@mantine/core';
import type { ApiRequest } from '../../../contract/accounts/api-requests.ts';
import type { ApiToken } from '../../../contract/accounts/tokens.ts';
import { errorTable, type ErrorCode } from '../../../contract/error-table.ts';
import { keysOf } from '../../../contract/keys-of.ts';
import {
  DayFilter,
  FilterBar,
  FilterLinks,
  FilterSelect,
  IdFilter,
  TextFilter,
  useFilter,
  useFilters,
} from '../../components/filters.tsx';
import { duration } from '../../components/format.ts';
import { IconActivity } from '../../components/icons.tsx';
import { Page } from '../../components/page.tsx';
import { useList } from '../../components/queries.ts';
import { Empty } from '../../components/states.tsx';
import { PagedTable, type Column } from '../../components/table.tsx';
import { Clipped, Hint, TextLink, When } from '../../components/text.tsx';
import { texts } from '../../messages.ts';

const t = texts.requests;
const same = (values: readonly string[]) => values.map((value) => ({ value, label: value }));
const methods = same(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);
const codes = same(keysOf(errorTable));

const columns: readonly Column<ApiRequest>[] = [
  {
    label: t.columns.request,
    render: ({ id, method, route }) => (
      <Stack gap={2}>
        <span className="mono request-line">
          {method} {route}
        </span>
        <Hint size="xs" fw={400} className="mono">
          {id}
        </Hint>
      </Stack>
    ),
  },
  { label: t.columns.result, render: (request) => <Result request={request} /> },
  { label: t.columns.token, render: ({ token_name }) => <Clipped text={token_name ?? t.deletedToken} /> },
  {
    label: t.columns.took,
    isFigure: true,
    render: ({ duration_ms }) => <span className="short">{duration(duration_ms)}</span>,
  },
  { label: t.columns.when, render: ({ at }) => <When at={at} isExact /> },
];

export function Requests() {
  const names = ['status', 'code', 'method', 'route', 'token_id', 'request_id'];
  const filters = useFilters(names);
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  return (
    <Page title={t.title} lead={t.lead}>
      <FilterLinks name="status" label={t.status} all={t.allStatuses} choices={t.statuses} />
      <FilterBar filters={{ ...filters, status: undefined }}>
        <FilterSelect name="code" label={t.code} all={t.allCodes} choices={codes} width={220} />
        <FilterSelect name="method" label={t.method} all={t.allMethods} choices={methods} width={140} />
        <TextFilter name="route" label={t.route} placeholder={t.routeHelp} maxLength={200} />
        <TokenFilter />
        <IdFilter name="request_id" label={t.requestId} placeholder={t.requestIdHelp} />
        <DayFilter name="from" label={t.from} />
        <DayFilter name="to" label={t.to} />
      </FilterBar>
      <PagedTable<ApiRequest>
        path="/requests"
        filters={filters}
        label={t.table}
        columns={columns}
        empty={
          isFiltered ? (
            <Empty icon={IconActivity} title={t.noMatchTitle} text={t.noMatchText} />
          ) : (
            <Empty icon={IconActivity} title={t.emptyTitle} text={t.emptyText}>
              <TextLink to="/developers">{t.toQuickStart}</TextLink>
            </Empty>
          )
        }
      />
    </Page>
  );
}

/** Offers the API tokens. If the id in the URL is that of no listed token, such as a deleted one, offers the id too. */
function TokenFilter() {
  const [id] = useFilter('token_id');
  const { data: tokens = [] } = useList<ApiToken>('tokens', '/tokens');
  const choices = tokens.map(({ id: value, name, prefix }) => ({ value, label: `${name} (${prefix}…)` }));
  if (id !== undefined && !choices.some(({ value }) => value === id)) choices.push({ value: id, label: id });
  return <FilterSelect name="token_id" label={t.token} all={t.allTokens} choices={choices} width={220} />;
}

/** Shows the status and, for an error, its code, with a link to the documentation of the codes, and its meaning. */
function Result({ request: { status, code, field } }: { request: ApiRequest }) {
  if (status === null) return <Badge color="gray">{t.statuses.cut}</Badge>;
  return (
    <Stack gap={2} align="flex-start">
      <Group gap={8}>
        <Badge color={status < 400 ? 'green' : status < 500 ? 'yellow' : 'red'}>{status}</Badge>
        {code !== null && (
          <Anchor href="/docs/api#errors" underline="always" size="sm" className="mono">
            {code}
          </Anchor>
        )}
      </Group>
      {code !== null && isKnown(code) && (
        <Hint size="xs">
          {errorTable[code][1]}
          {field !== null && ` ${t.field(field)}`}
        </Hint>
      )}
    </Stack>
  );
}

const isKnown = (code: string): code is ErrorCode => code in errorTable;
