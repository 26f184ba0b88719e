/** A takeover that was made in the console says by whom; what a person wrote there bears their name. */
export const up = `
alter table conversations add paused_by_name text;

drop function pause_conversation(uuid, timestamptz, text, timestamptz);
-- The agent keeps silent towards this contact; what waited for it is left to the person.
create function pause_conversation(p_conversation uuid, p_until timestamptz, p_by text, p_now timestamptz, p_by_name text default null)
returns void language sql as $$
  select from conversations where id = p_conversation for no key update;
  update conversations set paused_until = greatest(p_until, case when paused_until > p_now then paused_until end), paused_by = p_by,
    paused_by_name = p_by_name, updated_at = p_now where id = p_conversation;
  update runs set state = 'answered', finished_at = p_now, error = 'left to a person'
    where conversation_id = p_conversation and state in ('collecting', 'ready') and mode <> 'sync';
$$;

create or replace function store_quiet_message(p jsonb, p_conversation uuid, p_now timestamptz) returns void language plpgsql as $$
declare
  v_conversation conversations;
  v_person boolean := p->>'kind' = 'takeover';
begin
  update conversations set last_seq = last_seq + 1, last_ordinal = last_ordinal + 1, updated_at = p_now,
      contact_name = coalesce(p->>'contact_name', contact_name)
    where id = p_conversation returning * into v_conversation;
  -- Of no agent: nothing follows up on it.
  insert into runs (id, organization_id, conversation_id, ordinal, mode, state, opened_at, closes_at, cap_at, message_count, finished_at)
    values ((p->>'run_id')::uuid, v_conversation.organization_id, p_conversation, v_conversation.last_ordinal, 'single', 'answered',
            p_now, p_now, p_now, 1, p_now);
  insert into messages (id, organization_id, conversation_id, run_id, run_ordinal, seq, role, text, agent_id, agent_name, by_person, created_at)
    values ((p->>'message_id')::uuid, v_conversation.organization_id, p_conversation, (p->>'run_id')::uuid, v_conversation.last_ordinal,
            v_conversation.last_seq, case when v_person then 'agent' else 'user' end, p->>'text',
            case when v_person then v_conversation.agent_id end, case when v_person then coalesce(p->>'by_name', 'A person') end, v_person, p_now);
  if jsonb_array_length(p->'attachments') > 0 then
    insert into attachments (id, organization_id, conversation_id, message_id, position, filename, content_type, url, content, size)
      select (a->>'id')::uuid, v_conversation.organization_id, p_conversation, (p->>'message_id')::uuid, n, a->>'filename',
             a->>'content_type', a->>'url', decode(a->>'content_base64', 'base64'), (a->>'size')::integer
        from jsonb_array_elements(p->'attachments') with ordinality as given(a, n);
  end if;
end $$;

-- p: { kind: takeover, text, attachments, message_id, run_id, delivery_id, minutes?, by, by_name? }
create or replace function send_as_person(p jsonb, p_conversation uuid, p_now timestamptz) returns void language plpgsql as $$
declare
  v_now timestamptz := coalesce(p_now, clock_timestamp());
begin
  perform pause_conversation(p_conversation, v_now + make_interval(mins => coalesce((p->>'minutes')::integer,
    (select h.pause_minutes from channels h join conversations c on c.target_id = h.agent_id where c.id = p_conversation), 720)),
    p->>'by', v_now, p->>'by_name');
  perform store_quiet_message(p, p_conversation, v_now);
  insert into deliveries (id, organization_id, conversation_id, run_id, message_id, event, url, created_at)
    select (p->>'delivery_id')::uuid, c.organization_id, c.id, (p->>'run_id')::uuid, (p->>'message_id')::uuid, 'message.completed',
           'whatsapp:' || coalesce(k.phone, k.lid), v_now
      from conversations c join channel_contacts k on k.agent_id = c.target_id and k.contact_id = c.contact_id where c.id = p_conversation;
end $$;
`;
