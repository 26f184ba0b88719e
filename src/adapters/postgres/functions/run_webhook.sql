-- Returns the URL of a run's callback, or null. p_url_of maps the run's mode to the source of the URL: inputs,
-- conversation, or null (see src/domain/conversations/callback-url.ts).
-- For a reply through a channel, returns the contact's current address, which may have changed since the input.
-- Locks nothing.
create or replace function run_webhook(p_run runs, p_url_of jsonb) returns text language sql stable as $$
  select case when stored.url like 'whatsapp:%' then coalesce((select contact_address(k) from conversations c
      join channel_contacts k on k.id = c.channel_contact_id where c.id = p_run.conversation_id), stored.url) else stored.url end
    from (select case p_url_of->>p_run.mode
      when 'conversation' then (select webhook_url from conversations where id = p_run.conversation_id)
      when 'inputs' then (select m.webhook_url from messages m where m.conversation_id = p_run.conversation_id
        and m.run_ordinal = p_run.ordinal and m.webhook_url is not null order by m.seq desc limit 1) end as url) stored
$$;
