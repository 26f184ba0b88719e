-- Appends an audit event, in the transaction of the change that it records.
-- p: { organization_id, audit_id, user_id?, token_id?, actor, address? }. Locks nothing.
create or replace function audit_by(p jsonb, p_action text, p_target text) returns void language sql as $$
  insert into audit_log (id, organization_id, actor_id, actor, action, target, address)
    values ((p->>'audit_id')::uuid, (p->>'organization_id')::uuid, coalesce((p->>'user_id')::uuid, (p->>'token_id')::uuid),
            coalesce((select email from console_users where id = (p->>'user_id')::uuid),
                     (select 'API token ' || name || ' (' || prefix || '…)' from api_tokens where id = (p->>'token_id')::uuid),
                     p->>'actor'),
            p_action, left(p_target, 300), p->>'address')
$$;
