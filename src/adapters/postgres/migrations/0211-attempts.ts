/** Who is at what: a worker that is lost leaves its attempts behind, and work that loses several is not tried for ever. */
export const up = `
-- Each worker is seen every two seconds; one that is being stopped says so.
create table worker_processes (
  id uuid primary key,
  seen_at timestamptz not null default clock_timestamp(),
  leaving boolean not null default false
);
create index worker_processes_by_age on worker_processes (seen_at);

-- Written as the work begins, gone at any orderly end of it.
create table work_attempts (
  id uuid primary key,
  unit text not null,
  worker uuid not null,
  begun_at timestamptz not null default clock_timestamp()
);
create index work_attempts_of_unit on work_attempts (unit);
create index work_attempts_by_age on work_attempts (begun_at);

-- What workspaces have asked for by 429 and Retry-After, in all.
alter table tool_executions add waited_ms double precision not null default 0;

-- How many workers were lost at this. One that lives, or was told to stop, is none of them.
create function lost_workers(p_unit text) returns integer language sql stable as $$
  select count(distinct a.worker)::integer from work_attempts a left join worker_processes w on w.id = a.worker
    where a.unit = p_unit and (w.id is null or (not w.leaving and w.seen_at < clock_timestamp() - interval '10 s'))
$$;
`;
