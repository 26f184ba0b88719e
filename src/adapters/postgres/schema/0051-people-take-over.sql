-- Null: the call's message was stored during a takeover, so no run answers it (see ../functions/accept_input.sql).
alter table idempotency_keys alter column run_id drop not null;
-- The function has another parameter now (see ../functions/store_quiet_message.sql).
drop function if exists store_quiet_message(jsonb, text, uuid, timestamptz, bytea);
