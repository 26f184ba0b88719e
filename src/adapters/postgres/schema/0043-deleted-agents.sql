-- Finds the deleted agents of an organization. They are listed so that they can be restored.
create index agents_deleted on agents (organization_id, id) where deleted_at is not null;
