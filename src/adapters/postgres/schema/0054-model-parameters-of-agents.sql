-- Parameters of an agent's model calls. Null: the provider's default.
alter table agents
  add column temperature double precision check (temperature between 0 and 2),
  add column max_output_tokens integer check (max_output_tokens >= 1),
  add column reasoning_effort text check (reasoning_effort in ('none', 'low', 'medium', 'high'));
alter table agent_versions
  add column temperature double precision,
  add column max_output_tokens integer,
  add column reasoning_effort text;
-- Existing rehearsals and drafts get the new fields, because the content of a draft is published unchanged, and
-- rehearsals are compared with versions field by field.
update rehearsals set content = content || '{"temperature": null, "max_output_tokens": null, "reasoning_effort": null}';
update agent_drafts set content = content || '{"temperature": null, "max_output_tokens": null, "reasoning_effort": null}';
