-- A provider of the kind `agent` is an agent that runs elsewhere, behind an HTTP endpoint: base_url is its URL.
alter table model_providers
  drop constraint model_providers_kind_check,
  add constraint model_providers_kind_check check (kind in ('openai', 'anthropic', 'google', 'compatible', 'agent'));
