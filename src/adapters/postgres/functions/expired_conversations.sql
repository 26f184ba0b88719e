-- Returns at most p_limit conversations with expired data, those with the oldest data first. A run has expired if it
-- ended before the time `before`, and a message without a run or a note if it was created before that time. `before` is the
-- current time minus the organization's retention. Locks nothing.
create or replace function expired_conversations(p_limit integer) returns table (id uuid, before timestamptz) language sql stable as $$
  select old.conversation_id, min(old.before)
    from organizations o cross join lateral (
      (select r.conversation_id, r.finished_at as ended_at, clock_timestamp() - make_interval(days => o.retention_days) as before
        from runs r where r.organization_id = o.id and r.finished_at < clock_timestamp() - make_interval(days => o.retention_days)
        order by r.finished_at limit p_limit)
      union all
      (select m.conversation_id, m.created_at, clock_timestamp() - make_interval(days => o.retention_days)
        from messages m where m.organization_id = o.id and m.run_id is null
          and m.created_at < clock_timestamp() - make_interval(days => o.retention_days)
        order by m.created_at limit p_limit)
      union all
      (select n.conversation_id, n.created_at, clock_timestamp() - make_interval(days => o.retention_days)
        from conversation_notes n where n.organization_id = o.id
          and n.created_at < clock_timestamp() - make_interval(days => o.retention_days)
        order by n.created_at limit p_limit)) old
    where o.retention_days is not null
    group by old.conversation_id order by min(old.ended_at) limit p_limit
$$;
