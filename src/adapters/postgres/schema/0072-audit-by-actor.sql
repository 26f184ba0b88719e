-- The filter of the audit log by a user or a token, and by neither.
create index audit_log_by_actor on audit_log (actor_id, organization_id, id);
create index audit_log_by_system on audit_log (organization_id, id) where actor_id is null;
