-- The log of API requests. Contains no bodies, texts, addresses or header values.
create table api_requests (
  organization_id uuid not null references organizations on delete cascade,
  id uuid not null,            -- version 7: begins with `at`; the caller gets it in the header Parley-Request-Id
  token_id uuid not null,      -- of api_tokens or mcp_grants; no reference, because a deleted token keeps its log
  at timestamptz not null,     -- when the request began, by the clock of the API process
  method text not null,
  route text not null,         -- a template: /v1/chat/{id}
  status smallint,             -- null: the caller disconnected before the response began
  code text,                   -- of the error
  field text,                  -- of a refused body or query: the first invalid field that the schema names
  duration_ms integer not null,
  primary key (organization_id, id)
);
create index api_requests_at on api_requests (at);
