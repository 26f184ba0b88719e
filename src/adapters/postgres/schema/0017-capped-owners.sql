-- Finds whether an organization has a cap on credits on any agent or token.
create index agents_capped on agents (organization_id) where credit_caps is not null;
create index api_tokens_capped on api_tokens (organization_id) where credit_caps is not null;
