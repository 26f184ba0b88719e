-- Claims one part of a reply before it is sent.
-- p_earlier: { status, attempts } of the part's previous attempt; null for the first claim.
-- Locks: the conversation (for share), so that the claim waits for a takeover in progress and then reads its pause.
-- Returns outcome:
--   claimed    number: the contact's current number or LID
--   paused     the agent is paused, and no human agent wrote the reply. A reply of an agent that handed over is sent
--   elsewhere  another attempt has claimed or ended the part; or this is the first claim, and the reply is no longer
--              pending
create or replace function claim_gateway_send(p_delivery uuid, p_part integer, p_agent uuid, p_earlier jsonb) returns jsonb language plpgsql as $$
declare
  v_until timestamptz;
  v_number text;
begin
  select case when c.paused_by is distinct from 'agent' then c.paused_until end into v_until from conversations c
    where c.id = (select conversation_id from deliveries where id = p_delivery) for share;
  if v_until > clock_timestamp() and not exists (select from deliveries d join messages m on m.id = d.message_id
       where d.id = p_delivery and m.origin = 'human_agent') then
    return jsonb_build_object('outcome', 'paused');
  end if;
  if p_earlier is null then
    insert into gateway_sends (delivery_id, part_no, agent_id, status, attempted_at)
      select p_delivery, p_part, p_agent, 'attempting', clock_timestamp() from deliveries where id = p_delivery and status = 'pending'
      on conflict do nothing;
  else
    update gateway_sends set status = 'attempting', attempts = attempts + 1, attempted_at = clock_timestamp(), checks = 0,
        uncertain_attempts = uncertain_attempts + case when status = 'attempting' then 1 else 0 end
      where delivery_id = p_delivery and part_no = p_part and status = p_earlier->>'status'
        and attempts = (p_earlier->>'attempts')::integer and finished_at is null;
  end if;
  if not found then return jsonb_build_object('outcome', 'elsewhere'); end if;
  select recipient into v_number from deliveries where id = p_delivery;
  return jsonb_build_object('outcome', 'claimed', 'number', v_number);
end $$;
