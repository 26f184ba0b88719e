-- Finds the agents and tokens of an organization that have a cap on credits.
create index agents_capped on agents (organization_id) where credit_caps is not null;
create index api_tokens_capped on api_tokens (organization_id) where credit_caps is not null;
