-- Adds rows to the log of API requests. Then deletes from each organization of p_trim the rows beyond the newest p_keep
-- errors (status 400 and above) and the newest p_keep other rows.
-- p_rows: [{ organization_id, id, token_id, at, method, route, status, code, field, duration_ms }], of any organizations.
-- Skips rows of organizations that no longer exist. Locks: the rows that it deletes; skips rows that are locked.
create or replace function record_requests(p_rows json, p_trim uuid[], p_keep integer) returns void language sql as $$
  insert into api_requests (organization_id, id, token_id, at, method, route, status, code, field, duration_ms)
    select g.* from json_to_recordset(p_rows) as g(organization_id uuid, id uuid, token_id uuid, at timestamptz, method text,
        route text, status smallint, code text, field text, duration_ms integer)
      where exists (select from organizations o where o.id = g.organization_id);
  with cut as (
    select t.organization_id, e.is_error,
        (select r.id from api_requests r
           where r.organization_id = t.organization_id and coalesce(r.status >= 400, false) = e.is_error
           order by r.organization_id desc, r.id desc offset p_keep limit 1) as id
      from unnest(p_trim) as t(organization_id), (values (false), (true)) as e(is_error)
  ), old as (
    select r.ctid from cut join api_requests r on r.organization_id = cut.organization_id and r.id <= cut.id
        and coalesce(r.status >= 400, false) = cut.is_error
      for update of r skip locked
  )
  delete from api_requests where ctid = any(array(select ctid from old));
$$;
