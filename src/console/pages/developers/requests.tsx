/**
 * The page of the request log: filters, and the API requests of all tokens by day, newest first. A request opens beside
 * the list, and has its own URL.
 */
import { Anchor, Group, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ApiRequest, ApiRequestList } from '../../../contract/accounts/api-requests.ts';
import type { ApiToken } from '../../../contract/accounts/tokens.ts';
import { errorTable, type ErrorCode } from '../../../contract/error-table.ts';
import { keysOf } from '../../../contract/keys-of.ts';
import { call } from '../../client.ts';
import { Copy } from '../../components/copy.tsx';
import { quoted } from '../../components/curl.ts';
import {
  FilterBar,
  FilterLinks,
  FilterSelect,
  IdFilter,
  TextFilter,
  useFilter,
  useFilters,
  type Filters,
} from '../../components/filters.tsx';
import { dayOf, duration } from '../../components/format.ts';
import { IconActivity } from '../../components/icons.tsx';
import { Info } from '../../components/info.tsx';
import { JsonText } from '../../components/json-text.tsx';
import { ListDetail } from '../../components/list-detail.tsx';
import { Page } from '../../components/page.tsx';
import { PeriodFilter } from '../../components/period-filter.tsx';
import { useAgents, useList, useRead, type PageOf } from '../../components/queries.ts';
import { Empty } from '../../components/states.tsx';
import { RowLink, type Column } from '../../components/table.tsx';
import { Breakable, Clipped, Facts, Hint, Label, TextLink, When } from '../../components/text.tsx';
import { texts } from '../../messages.ts';
import { useMayOpen } from '../../shell/may-open.ts';
import { useSession } from '../../shell/session.ts';
import { RequestStatus } from './request-status.tsx';

const t = texts.requests;
const same = (values: readonly string[]) => values.map((value) => ({ value, label: value }));
const methods = same(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);
const codes = same(keysOf(errorTable));

/** The beginning of each identifier in a path, without its last characters, which tell those of the same time apart. */
const idStarts = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{8}(?=[0-9a-f]{4})/g;

const shortOf = ({ path, route }: Pick<ApiRequest, 'path' | 'route'>): string =>
  path?.replace(idStarts, '…') ?? route;

const columns = (hrefOf: (id: string) => string): readonly Column<ApiRequest>[] => [
  { label: t.columns.status, isStatus: true, render: ({ status }) => <RequestStatus status={status} /> },
  {
    label: t.columns.request,
    render: (request) => (
      <RowLink to={hrefOf(request.id)}>
        <span className="request-line">
          <span className="request-method">{request.method}</span>{' '}
          <span className="request-path" title={request.path ?? request.route}>
            {shortOf(request)}
          </span>
        </span>
      </RowLink>
    ),
  },
  {
    label: t.columns.error,
    isInDetail: true,
    render: (request) => <ErrorOf {...request} />,
  },
  {
    label: t.columns.token,
    isInDetail: true,
    // On a phone, an error shows its code instead.
    isMinor: ({ code }) => code !== null,
    render: ({ token_name }) => <Clipped text={token_name ?? t.deletedToken} />,
  },
  {
    label: t.columns.took,
    isFigure: true,
    isInDetail: true,
    isMinor: true,
    render: ({ duration_ms }) => <span className="short">{duration(duration_ms)}</span>,
  },
  { label: t.columns.when, isTime: true, render: ({ at }) => <When at={at} timeOnly /> },
];

/** The problem of a refused field, if the log has it, then the code of the error. */
function ErrorOf({ code, field, reason }: ApiRequest) {
  if (code === null) return <span className="nothing" />;
  const problem = problemOf(field, reason);
  return (
    <span className="request-error" title={problem}>
      {problem !== undefined && <span>{problem}</span>} <span className="request-code">{code}</span>
    </span>
  );
}

/** @returns which field was wrong and how; undefined if the log does not have it */
function problemOf(field: string | null, reason: string | null): string | undefined {
  if (field === null) return undefined;
  if (reason === null) return t.wrong(field);
  return reason.endsWith('received undefined') ? t.required(field) : `${field}: ${reason}`;
}

export function Requests() {
  const names = ['status', 'code', 'method', 'route', 'token_id', 'request_id'];
  const filters = useFilters(names);
  const counts = useCounts(filters);
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  return (
    <Page
      title={t.title}
      lead={
        <>
          {t.lead} <Info text={t.kept} />
        </>
      }
    >
      <Stack gap="sm">
        <FilterLinks
          name="status"
          label={t.status}
          all={t.allStatuses}
          choices={t.statuses}
          counts={counts && { ...counts, '2xx': undefined, error: counts['4xx'] + counts['5xx'] }}
        />
        <FilterBar
          filters={{ ...filters, status: undefined }}
          more={['code']}
          moreFields={
            <FilterSelect name="code" label={t.code} all={t.allCodes} choices={codes} width={220} />
          }
        >
          <FilterSelect name="method" label={t.method} all={t.allMethods} choices={methods} width={130} />
          <TokenFilter />
          <TextFilter
            name="route"
            label={t.route}
            placeholder={t.routeHelp}
            maxLength={200}
            w={{ base: '100%', xs: 130 }}
          />
          <IdFilter
            name="request_id"
            label={t.requestId}
            placeholder={t.requestIdHelp}
            w={{ base: '100%', xs: 220 }}
          />
          {/* The log keeps requests for 7 days. */}
          <PeriodFilter all={texts.common.period.lastDays(7)} lengths={[1, 3]} />
        </FilterBar>
      </Stack>
      <ListDetail<ApiRequest>
        path="/requests"
        filters={filters}
        label={t.table}
        columns={columns}
        groupOf={({ at }) => dayOf(at)}
        empty={
          isFiltered ? (
            <Empty icon={IconActivity} title={t.noMatchTitle} text={t.noMatchText} />
          ) : (
            <Empty icon={IconActivity} title={t.emptyTitle} text={t.emptyText}>
              <TextLink to="/developers">{t.toQuickStart}</TextLink>
            </Empty>
          )
        }
        detail={{
          name: t.detailTitle,
          titleOf: (request) => <Breakable text={`${request.method} ${shortOf(request)}`} />,
          useRow: useRequest,
          render: (request) => <Opened request={request} />,
        }}
      />
    </Page>
  );
}

/** Counts the requests by status that match all other filters. @returns undefined until they are counted */
const useCounts = (filters: Filters): ApiRequestList['counts'] | undefined =>
  useRead<ApiRequestList>(['requests', 'counts', filters], '/requests', {
    query: { ...filters, status: undefined, limit: 1 },
    placeholderData: keepPreviousData,
    refetchInterval: 30_000,
  }).data?.counts;

/** Offers the API tokens. If the id in the URL is that of no listed token, such as a deleted one, offers the id too. */
function TokenFilter() {
  const [id] = useFilter('token_id');
  const { data: tokens = [] } = useList<ApiToken>('tokens', '/tokens');
  const choices = tokens.map(({ id: value, name, prefix }) => ({ value, label: `${name} (${prefix}…)` }));
  if (id !== undefined && !choices.some(({ value }) => value === id)) choices.push({ value: id, label: id });
  return <FilterSelect name="token_id" label={t.token} all={t.allTokens} choices={choices} width={170} />;
}

/**
 * Reads a request by its id. Until it is read, returns it as the list has it.
 * @returns a query that fails if the log no longer has the request
 */
const useRequest = (id: string, listed: ApiRequest | undefined) =>
  useQuery({
    queryKey: ['request', id],
    queryFn: async ({ signal }) => {
      const { data } = await call<PageOf<ApiRequest>>('GET', '/requests', {
        query: { request_id: id, limit: 1 },
        signal,
      });
      if (data[0] === undefined) throw new Error(t.gone);
      return data[0];
    },
    // The log does not change a request.
    ...(listed !== undefined && { initialData: listed }),
    staleTime: Infinity,
  });

function Opened({ request }: { request: ApiRequest }) {
  const { id, method, route, status, code, field, reason, at, duration_ms, token_name } = request;
  const agent = agentOf(request);
  const mayOpen = useMayOpen();
  const agents = useAgents().data ?? [];
  const name = agents.find((one) => one.id === agent)?.name;
  const path = request.path ?? route;
  const { origin } = new URL(useSession().base_url);
  const operation = new URLSearchParams({ operation: `${method} ${route}` }).toString();
  return (
    <Stack gap="md">
      <Group gap="sm">
        <Copy text={id} label={t.copyId} />
        <Copy text={`${window.location.origin}/requests/${id}`} label={t.copyLink} />
        {!/[…{]/.test(path) && <Copy text={curlOf(method, `${origin}${path}`)} label={t.copyCurl} />}
      </Group>
      <div className="fact-rows">
        <Facts
          facts={[
            [
              t.columns.status,
              <>
                <Group gap="xs">
                  <RequestStatus status={status} />
                  {code !== null && <Text size="sm">{code}</Text>}
                </Group>
                {status === null && <Hint mt={4}>{t.cutHelp}</Hint>}
              </>,
            ],
            code !== null &&
              isKnown(code) && [
                t.message,
                <>
                  {errorTable[code][1]}{' '}
                  <Anchor href="/docs/api#errors" underline="always" size="sm">
                    {t.toErrors}
                  </Anchor>
                </>,
              ],
            field !== null && [
              t.field,
              <>
                <span>{field}</span>
                {reason !== null && <Hint>{reason}</Hint>}
              </>,
            ],
            agent !== undefined && [
              t.agent,
              <>
                <TextLink to={`/agents/${agent}`}>{name ?? t.open}</TextLink>
                {mayOpen('/conversations') && (
                  <>
                    {' · '}
                    <TextLink to={`/conversations?status=all&agent_id=${agent}`}>
                      {t.toConversations}
                    </TextLink>
                  </>
                )}
              </>,
            ],
            [t.columns.took, duration(duration_ms)],
            [t.columns.when, <When at={at} isExact />],
            [t.token, token_name ?? t.deletedToken],
            [
              t.path,
              <>
                <Breakable text={path} />
                <br />
                <Anchor href={`/reference?${operation}`} underline="always" size="sm">
                  {t.toReference}
                </Anchor>
              </>,
            ],
            [t.requestId, id],
          ]}
        />
      </div>
      {code !== null && isKnown(code) && (
        <div>
          <Label>{t.answer}</Label>
          <Hint size="xs" mb={4}>
            {reason === null ? t.usualAnswerHelp : t.answerHelp}
          </Hint>
          <JsonText text={answerOf(code, request)} label={t.answer} />
        </div>
      )}
    </Stack>
  );
}

/** @returns the answer of an error, with its usual sentence, because the log keeps none, and the logged field */
const answerOf = (code: ErrorCode, { field, reason }: ApiRequest): string =>
  JSON.stringify({
    error: errorTable[code][1],
    code,
    ...(field !== null && { details: [{ path: field, ...(reason !== null && { message: reason }) }] }),
  });

/** @returns the id of the agent that the request is about; undefined if there is none */
const agentOf = ({ path }: ApiRequest): string | undefined => /[0-9a-f-]{36}/.exec(path ?? '')?.[0];

/** @returns a command that sends the request again. The log has no body, so the command reads it from a file. */
function curlOf(method: string, url: string): string {
  const body =
    method === 'GET' || method === 'DELETE' ? '' : " -H 'Content-Type: application/json' --data @body.json";
  return `curl -sS -X ${method} ${quoted(url)} -H "Authorization: Bearer $PARLEY_TOKEN"${body}`;
}

const isKnown = (code: string): code is ErrorCode => code in errorTable;
