-- Expired invitations are deleted.
create index console_invitations_by_expiry on console_invitations (expires_at);
