-- provider/name of the model that answers in a run in which the agent's model has failed for good. Null: none.
alter table agents add column fallback_model text;
alter table agent_versions add column fallback_model text;
-- Set when the agent's model has failed for good in this step: the run's further model calls for this agent go to its
-- fallback. { agent_id, model (the one that failed), error, provider_message }
alter table model_failures add column fell_back jsonb;
-- Set if the fallback made the call. { failed_model, reason (the error of the agent's model) }
alter table run_steps add column fallback jsonb;
-- Existing rehearsals and drafts get the new field, because the content of a draft is published unchanged, and rehearsals
-- are compared with versions field by field.
update rehearsals set content = content || '{"fallback_model": null}';
update agent_drafts set content = content || '{"fallback_model": null}';
