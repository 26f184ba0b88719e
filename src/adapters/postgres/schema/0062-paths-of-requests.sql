-- The route of a logged request with the id of its agent; null if it has none.
alter table api_requests add column path text;
