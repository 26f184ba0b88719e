-- The path of a logged request, with its parameters that are UUIDs; the others are as in `route`. Null if there are none.
alter table api_requests add column path text;
