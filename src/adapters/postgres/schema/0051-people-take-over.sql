-- Null: the call's message was stored during a takeover, so no run answers it (see ../functions/accept_input.sql).
alter table idempotency_keys alter column run_id drop not null;
-- The function has another parameter now (see ../functions/store_quiet_message.sql).
drop function if exists store_quiet_message(jsonb, text, uuid, timestamptz, bytea);

alter table agents add column may_hand_over boolean not null default false; -- offers its model the tool hand_over_to_person
alter table agent_versions add column may_hand_over boolean not null default false;
-- Existing rehearsals and drafts get the new field, because rehearsals are compared with versions field by field, and
-- drafts are read with all fields.
update rehearsals set content = content || '{"may_hand_over": false}';
update agent_drafts set content = content || '{"may_hand_over": false}';
-- agent: the agent handed the conversation over to a person.
alter table conversations drop constraint conversations_paused_by_check,
  add constraint conversations_paused_by_check check (paused_by in ('phone', 'console', 'api', 'loop', 'agent'));
