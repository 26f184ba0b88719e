/** Defines the API's metrics; docs/observability.md has a table of all metrics. */
import type { OpenRuns } from '../adapters/postgres/conversations/open-runs.ts';
import { channelNames } from '../contract/conversations/channel-name.ts';
import { counter, gauge, histogram } from './metric.ts';

export const countAccepted = counter('parley_inputs_accepted_total', 'Accepted messages, by channel.', {
  channel: channelNames,
});

export const countCancelled = counter(
  'parley_inputs_cancelled_total',
  'Messages that a caller cancelled before they were answered.',
  {},
);

export const countPoolShareReached = counter(
  'parley_database_share_reached_total',
  'Queries that waited because their organization used its share of the database connections.',
  {},
);

export const countLogged = counter(
  'parley_request_log_rows_total',
  'Requests for the request log: written, or dropped because of the share of their organization, a full buffer, or a failed write.',
  { outcome: ['written', 'over_share', 'buffer_full', 'failed'] },
);

export const measureRequest = histogram(
  'parley_http_request_duration_seconds',
  'HTTP requests by route, without event streams.',
  [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5, 30, 120],
  ['method', 'route', 'status'],
);

/** Defines the gauges of open runs. The API exports them, so that they have values even while no worker runs. */
export function observeOpenRuns(count: () => Promise<OpenRuns[]>): void {
  // In a scrape, both gauges use the same result of `count`.
  let counted: Promise<OpenRuns[]> | undefined;
  const once = () => {
    counted ??= count().finally(() => setImmediate(() => (counted = undefined)));
    return counted;
  };
  gauge(
    'parley_open_runs',
    'Runs that have not ended, of all organizations, by state.',
    ['state'],
    async () => (await once()).map(({ state, count: value }) => ({ labels: { state }, value })),
  );
  gauge(
    'parley_open_runs_oldest_seconds',
    'Seconds since the oldest unended run was due, without runs that wait for another run of their conversation.',
    ['state'],
    async () => (await once()).map(({ state, oldest_seconds: value }) => ({ labels: { state }, value })),
  );
}
