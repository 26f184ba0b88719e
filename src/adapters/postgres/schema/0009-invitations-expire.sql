-- Finds expired invitations, which the cleanup deletes.
create index console_invitations_by_expiry on console_invitations (expires_at);
