-- Revokes an organization's tokens, and deactivates its agents and channels. Deletes its workspace connections, model
-- providers, HTTP tools, MCP servers, webhook endpoints and members, and the users who belong to no other organization.
-- Locks: the rows that it changes, and the organization's users.
create or replace function close_organization(p_organization uuid) returns void language plpgsql as $$
begin
  update api_tokens set revoked_at = coalesce(revoked_at, clock_timestamp()) where organization_id = p_organization;
  update agents set active = false where organization_id = p_organization;
  update channels set state = 'inactive', instance_token = null, next_check_at = null,
      previous_webhook_hash = null, webhook_secret_hash = decode(replace(gen_random_uuid()::text, '-', ''), 'hex')
    where organization_id = p_organization;
  delete from tool_connections where organization_id = p_organization;
  delete from model_providers where organization_id = p_organization;
  delete from webhook_endpoints where organization_id = p_organization;
  delete from http_tools where organization_id = p_organization;
  delete from mcp_servers where organization_id = p_organization;
  -- Waits for concurrent transactions that add one of these users to another organization. The next statement then
  -- reads the new membership and does not delete the user.
  perform from console_users where id in (select user_id from console_members where organization_id = p_organization)
    order by id for update;
  delete from console_users u using console_members m
    where m.organization_id = p_organization and m.user_id = u.id
      and not exists (select from console_members o where o.user_id = u.id and o.organization_id <> p_organization);
  delete from console_members where organization_id = p_organization;
end $$;
