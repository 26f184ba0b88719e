-- Prices of models: { "provider/name": { input, output, cached_input (null: as input) } }, in US dollars per million
-- tokens. At most 1,000 models.
alter table organizations add column model_prices jsonb not null default '{}';
-- Number of the call's input tokens that the provider read from its cache. Null: not recorded.
alter table run_steps add column cached_input_tokens integer;
