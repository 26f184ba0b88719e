/** Of which traces a run is part. Written only while tracing is on. */
export const up = `
-- One row an input that is traced: a run goes on in the trace of its first one. It may begin long after, in another
-- process, and an input that joins an open group makes no signal that could carry it.
create table run_traces (
  run_id uuid not null references runs on delete cascade,
  organization_id uuid not null,
  traceparent text not null,
  accepted_at timestamptz not null default clock_timestamp(),
  primary key (run_id, traceparent)
);
`;
