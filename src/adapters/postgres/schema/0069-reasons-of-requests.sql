-- The problem of the refused field of a logged request; null if its message may quote the caller.
alter table api_requests add column reason text;
