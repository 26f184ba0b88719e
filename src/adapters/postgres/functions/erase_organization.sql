-- Deletes the next part of an organization that has no conversations left: at most 5,000 idempotency keys, else at most
-- 5,000 gateway events, else at most 500 tool executions, else everything that remains. Locks: the rows that it
-- deletes. Returns true once the organization itself is deleted; false if parts of it remain.
create or replace function erase_organization(p_organization uuid) returns boolean language plpgsql as $$
begin
  delete from idempotency_keys where ctid in (select k.ctid from idempotency_keys k join api_tokens t on t.id = k.token_id
    where t.organization_id = p_organization limit 5000);
  if found then return false; end if;
  delete from gateway_events where ctid in (select e.ctid from gateway_events e join channels h on h.agent_id = e.agent_id
    where h.organization_id = p_organization limit 5000);
  if found then return false; end if;
  delete from tool_executions where ctid in (select ctid from tool_executions where organization_id = p_organization limit 500);
  if found then return false; end if;
  delete from inboxes where organization_id = p_organization;
  delete from agents where organization_id = p_organization;
  delete from organizations where id = p_organization;
  -- The erasure of the organization deletes all of its workflow histories, so its other erasures are not needed.
  delete from erasures where organization_id = p_organization and kind <> 'organization';
  return true;
end $$;
