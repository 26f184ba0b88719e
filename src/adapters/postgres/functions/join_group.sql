-- Adds a message to the group that collects messages until a limit's minute is over. The caller holds the
-- conversation's lock.
create or replace function join_group(p jsonb, p_run uuid, p_webhook text, p_now timestamptz) returns void language plpgsql as $$
declare
  v_run runs;
  v_seq integer;
begin
  update runs set message_count = message_count + 1 where id = p_run returning * into v_run;
  update conversations set last_seq = last_seq + 1, updated_at = p_now, webhook_url = p_webhook,
      contact_name = coalesce(p->>'contact_name', contact_name)
    where id = v_run.conversation_id returning last_seq into v_seq;
  insert into messages (id, organization_id, conversation_id, run_id, run_ordinal, seq, role, text, webhook_url, created_at)
    values ((p->>'message_id')::uuid, v_run.organization_id, v_run.conversation_id, v_run.id, v_run.ordinal, v_seq, 'user',
            p->>'text', p_webhook, p_now);
  insert into attachments (id, organization_id, conversation_id, message_id, position, filename, content_type, url, size)
    select (a->>'id')::uuid, v_run.organization_id, v_run.conversation_id, (p->>'message_id')::uuid, n, a->>'filename',
           a->>'content_type', a->>'url', (a->>'size')::integer
      from jsonb_array_elements(p->'attachments') with ordinality as given(a, n);
end $$;
