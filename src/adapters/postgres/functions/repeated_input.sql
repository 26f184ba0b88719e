-- What accept_input returns for a key that is taken: repeat, or conflict if the request differs.
-- A repeat has a wake_at again: the first call may have died between its commit and its signal. Locks nothing.
create or replace function repeated_input(p_key idempotency_keys, p_input jsonb) returns accepted_input language sql as $$
  select case when p_key.request_hash = decode(p_input->>'request_hash', 'hex')
    then row('repeat', p_key.conversation_id, p_key.run_id, p_key.message_id, null, p_key.debounced,
             (select closes_at from runs where id = p_key.run_id))::accepted_input
    else row('conflict', null, null, null, null, null, null)::accepted_input end
$$;
