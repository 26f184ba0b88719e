-- JSON Schema that the answers of an agent must fit. Null: any text.
alter table agents add column output_schema jsonb;
alter table agent_versions add column output_schema jsonb;
-- True if the text is a JSON object that fits the output schema of the agent's version.
alter table messages add column structured boolean not null default false;
-- Existing rehearsals and drafts get the new field, because the content of a draft is published unchanged, and rehearsals
-- are compared with versions field by field.
update rehearsals set content = content || '{"output_schema": null}';
update agent_drafts set content = content || '{"output_schema": null}';
