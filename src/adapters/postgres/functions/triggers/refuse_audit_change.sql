-- Refuses updates, deletions and truncations of the audit log, with two exceptions: an event that has no place in the
-- hash chain can get one, and events up to the chain's deleted_to can be deleted.
-- Locks nothing.
create or replace function refuse_audit_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    if old.position is null and new.position is not null
        and to_jsonb(old) - array['position', 'hash'] = to_jsonb(new) - array['position', 'hash'] then
      return new;
    end if;
  elsif tg_op = 'DELETE' then
    if old.position <= (select c.deleted_to from audit_chains c where c.organization_id = old.organization_id) then
      return old;
    end if;
  end if;
  raise exception 'the audit log is only ever added to';
end $$;
