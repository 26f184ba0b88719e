/** How long an organization keeps its conversations. */
export const up = `
alter table organizations add retention_days integer check (retention_days between 1 and 36500);

-- p: { organization_id, set: { retention_days?: number | null }, … what audit_by takes }
create function change_organization(p jsonb) returns organizations language plpgsql as $$
declare
  v_organization organizations;
begin
  update organizations set
      retention_days = case when p->'set' ? 'retention_days' then (p->'set'->>'retention_days')::integer else retention_days end
    where id = (p->>'organization_id')::uuid returning * into v_organization;
  if found and p->'set' <> '{}' then perform audit_by(p, 'organization_changed', p->>'set'); end if;
  return v_organization;
end $$;

-- Conversations with something older than their organization's retention, the oldest first.
create function expired_conversations(p_limit integer) returns table (id uuid, before timestamptz) language sql stable as $$
  select old.conversation_id, min(old.before)
    from organizations o cross join lateral (
      select r.conversation_id, r.finished_at, clock_timestamp() - make_interval(days => o.retention_days) as before
        from runs r where r.organization_id = o.id and r.finished_at < clock_timestamp() - make_interval(days => o.retention_days)
        order by r.finished_at limit p_limit) old
    where o.retention_days is not null
    group by old.conversation_id order by min(old.finished_at) limit p_limit
$$;

-- A conversation in which nothing is younger is erased whole, and the channel's record of its contact with it; of one that
-- goes on, the oldest runs with all that belongs to them. Attachments are large: a part at a time.
create function erase_expired(p_conversation uuid, p_before timestamptz, p_note uuid) returns void language plpgsql as $$
declare
  v_conversation conversations;
  v_runs uuid[];
  v_messages uuid[];
begin
  select * into v_conversation from conversations where id = p_conversation for update;
  if not found then return; end if;
  if not exists (select from runs where conversation_id = p_conversation and (finished_at is null or finished_at >= p_before)) then
    perform erase_conversation(p_conversation, p_note);
    delete from channel_contacts where agent_id = v_conversation.target_id and contact_id = v_conversation.contact_id;
    return;
  end if;
  select array_agg(id) into v_runs from (select id from runs where conversation_id = p_conversation and finished_at < p_before
    order by ordinal limit 20) old;
  select array_agg(m.id) into v_messages from messages m join runs r on r.id = any(v_runs)
    where m.conversation_id = p_conversation and m.run_ordinal = r.ordinal;
  delete from gateway_events where message_id = any(v_messages);
  delete from idempotency_keys where conversation_id = p_conversation and run_id = any(v_runs);
  delete from tool_executions where conversation_id = p_conversation and created_at < p_before;
  delete from deliveries where conversation_id = p_conversation and run_id = any(v_runs);
  delete from messages where id = any(v_messages);
  delete from runs where id = any(v_runs);
end $$;
`;
