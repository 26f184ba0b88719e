-- Returns conversations with a run older than their organization's retention, oldest first. Locks nothing.
create or replace function expired_conversations(p_limit integer) returns table (id uuid, before timestamptz) language sql stable as $$
  select old.conversation_id, min(old.before)
    from organizations o cross join lateral (
      select r.conversation_id, r.finished_at, clock_timestamp() - make_interval(days => o.retention_days) as before
        from runs r where r.organization_id = o.id and r.finished_at < clock_timestamp() - make_interval(days => o.retention_days)
        order by r.finished_at limit p_limit) old
    where o.retention_days is not null
    group by old.conversation_id order by min(old.finished_at) limit p_limit
$$;
