-- What is wrong with the field of a logged request; null if its words may quote the caller.
alter table api_requests add column reason text;
